import { Host } from "../support/host";
import { acceptFirst } from "../support/invitations";
import { FIXTURE, GROUP, startWorld, TOKEN, USER, useWorld } from "../support/world";

// The same mechanism as for projects (project-invitation.test.ts); here is what is a group's own.

const type = "steward_group_invitation";
const at = `/groups/${GROUP.platform}`;
const world = useWorld();
const host = (token?: string) => new Host(world(), type, token);
const config = { group: "acme/platform", email: "ada@example.com", access_level: 30 };
const withUser = { group: "acme/platform", user: "stranger", access_level: 30 };

test("pending, then accepted: no drift, and destroying it leaves the member", async () => {
  const state = await host().bring(undefined, config);
  expect(state.attributes).toMatchObject({ id: `${GROUP.platform}:ada@example.com`, status: "pending" });
  await acceptFirst(world(), `${at}/invitations`);
  expect(await host().drift(state, config)).toEqual([]);

  const { diagnostics } = await host().destroy((await host().refresh(state))!);
  expect(diagnostics).toMatchObject([{ severity: "warning", code: "membership_stays" }]);
  expect(diagnostics[0]!.detail).toContain("member page of the group acme/platform");
  expect(await world().http("GET", `${at}/members?query=ada`)).toMatchObject([{ access_level: 30 }]);
});

test("a user is a member at once, and of an accepted one the level is fixed", async () => {
  const state = await host().bring(undefined, withUser);
  expect(state.attributes).toMatchObject({ id: `${GROUP.platform}:${USER.stranger}`, status: "accepted" });
  expect((await host().plan(state, { ...withUser, access_level: 20 })).diagnostics).toMatchObject([
    { severity: "error", code: "membership_differs", attribute: ["access_level"] },
  ]);
});

test("a Maintainer of the group sees no invitations: the state is kept, with the refusal", async () => {
  const state = await host().bring(undefined, config);
  await world().http("DELETE", `${at}/members/${USER.maya}`);
  const answer = await host().read(state);
  expect(answer.state).toEqual(state);
  expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
});

test("an Owner may be invited by an Owner", async () => {
  const state = await host(TOKEN.owner).bring(undefined, { ...config, access_level: 50 });
  expect(state.attributes["access_level"]).toBe(50);
});

test("a group and a project of the same id are not mistaken for each other in one run", async () => {
  const here = await startWorld({
    ...FIXTURE,
    projects: [
      {
        path: "acme/twin",
        id: GROUP.platform,
        invitations: [{ email: "bob@example.com", role: "developer" }],
      },
    ],
  });
  try {
    const run = here.connect();
    const state = await new Host(here, type).bring(undefined, config);
    const emails = async (kind: string, within: string) => {
      const { objects } = await run.listResource({ type: `steward_${kind}_invitation`, within });
      return objects.map(({ state }) => state.attributes["email"]);
    };
    expect(await emails("project", "acme/twin")).toEqual(["bob@example.com"]);
    expect(await emails("group", "acme/platform")).toEqual(["ada@example.com"]);
    expect(await new Host(here, type).refresh(state, run)).toEqual(state);
  } finally {
    await here.close();
  }
});

const route = "/groups/:id/invitations";

test("one that was sent and can't be read afterwards is in the state as declared, with a warning", async () => {
  const plan = await host().plan(undefined, config);
  // The reading before it is sent is the first of the apply.
  world().service.faults.add({ method: "GET", route, status: 500, skip: 1, times: 9 });
  const { state, diagnostics } = await host().apply(plan);
  expect(diagnostics).toMatchObject([{ severity: "warning", code: "not_read_back" }]);
  expect(state?.attributes).toMatchObject({ id: `${GROUP.platform}:ada@example.com`, status: "pending" });
  world().service.faults.clear();
  expect(await host().drift(state!, config)).toEqual([]);
});

test("an invitation is kept where its list answers 404 once and then shows it, and where it answers 404 for good", async () => {
  const state = await host().bring(undefined, config);
  world().service.faults.add({ method: "GET", route, status: 404 });
  expect(await host().refresh(state)).toEqual(state);
  world().service.faults.add({ method: "GET", route, status: 404, always: true });
  const answer = await host().read(state);
  world().service.faults.clear();
  expect(answer).toMatchObject({ state, diagnostics: [{ severity: "error", code: "not_available" }] });
});
