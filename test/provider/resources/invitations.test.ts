import { causeOf } from "../../../src/diagnostics";
import { recordAnswer, useRunsBehind } from "../support/behind";
import { Host } from "../support/host";
import { FIXTURE, GROUP, PROJECT, startWorld, USER, useWorld } from "../support/world";

// Cases of invitations that transcripts cannot express: clocks, services that behave differently, and several objects
// in one run.

const type = "steward_project_invitation";
const at = `/projects/${PROJECT.web}/invitations`;
const config = { project: "acme/web", email: "ada@example.com", access_level: 30 };
const world = useWorld();
const behind = useRunsBehind();
const host = () => new Host(world(), type);

test("if an invitation expired by the local clock only, apply extends the invitation instead of inviting again", async () => {
  const state = await host().bring(undefined, { ...config, expires_at: "2098-01-01" });
  const clock = jest.spyOn(Date, "now").mockReturnValue(new Date("2098-01-02").valueOf());
  try {
    world().service.requests.reset();
    const early = (await host().refresh(state))!;
    expect(early.attributes["status"]).toBe("expired");
    const again = await host().bring(early, { ...config, expires_at: "2099-12-31" });
    expect(again.attributes).toMatchObject({ status: "pending", expires_at: "2099-12-31" });
    expect(world().service.requests.count("PUT")).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

test("in one run, invitations to a group and to a project with the same id are different objects", async () => {
  const invitations = [{ email: "bob@example.com", role: "developer" as const }];
  const projects = [{ path: "acme/twin", id: GROUP.platform, invitations }];
  const here = await startWorld({ ...FIXTURE, projects });
  try {
    const ofGroup = new Host(here, "steward_group_invitation");
    const run = here.connect();
    const state = await ofGroup.bring(undefined, {
      group: "acme/platform",
      email: config.email,
      access_level: 30,
    });
    const emails = async (kind: string, within: string) => {
      const { objects } = await run.listResource({ type: `steward_${kind}_invitation`, within });
      return objects.map(({ state: { attributes } }) => attributes["email"]);
    };
    expect(await emails("project", "acme/twin")).toEqual(["bob@example.com"]);
    expect(await emails("group", "acme/platform")).toEqual([config.email]);
    expect(await ofGroup.refresh(state, run)).toEqual(state);
  } finally {
    await here.close();
  }
});

test("if the service hides the e-mail addresses of two invitations, both warnings have the same cause", async () => {
  const causes = [config, { ...config, email: "eve@example.com" }].map(async (declared) => {
    const [warning] = (await host().plan(undefined, declared)).diagnostics;
    return causeOf(warning!);
  });
  const [one, other] = await Promise.all(causes);
  expect(one).toBeDefined();
  expect(other).toBe(one);
});

test("if the service changes a member's level instead of inviting, the provider reports an error", async () => {
  const join = (access_level: number) =>
    world().http("POST", `/projects/${PROJECT.web}/members`, { user_id: USER.stranger, access_level });
  await join(20);
  // This service reports success, although it changed the member instead of the invitation.
  const connect = await behind(world(), async ({ method, url }) => {
    if (method !== "POST" || !url.endsWith(at)) return undefined;
    await world().http("DELETE", `/projects/${PROJECT.web}/members/${USER.stranger}`);
    await join(30);
    return recordAnswer(201, { status: "success" });
  });
  const run = connect();
  const plan = await host().plan(undefined, { ...config, email: "stranger@example.com" }, run);
  const { diagnostics } = await host().apply(plan, run);
  expect(diagnostics).toMatchObject([{ severity: "error", code: "membership_changed" }]);
  expect(diagnostics[0]!.detail).toMatch(
    /the level of the member stranger of the project acme\/web from 20 to 30/,
  );
});
