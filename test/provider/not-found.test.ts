import type { StoredState } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { describeEvery, isSent } from "./samples";
import { Host } from "./support/host";
import { GROUP, PROJECT, TOKEN, USER, useWorld } from "./support/world";

// A 404 for the project or group does not prove that an object in it is gone. If a token loses its rights, the object
// stays in the state.

const world = useWorld();
const { resources } = createProvider().schema;
const root = () => world().service.adminToken;

/**
 * For projects and for groups: the samples' container, a different container, and the group that gives the user the
 * maintainer's role.
 */
const PLACES = {
  project: { path: `/projects/${PROJECT.web}`, other: String(PROJECT.webTwo), role: `/groups/${GROUP.acme}` },
  group: {
    path: `/groups/${GROUP.platform}`,
    other: String(GROUP.approvers),
    role: `/groups/${GROUP.platform}`,
  },
} as const;

describeEvery((type, sample) => {
  const kind = "group" in resources[type]!.attributes ? "group" : "project";
  const place = PLACES[kind];
  let state: StoredState;
  beforeEach(async () => {
    state = await new Host(world(), type).bring(undefined, sample.config);
  });

  test("if the token can't see the project or group, a read keeps the object and suggests a removed block", async () => {
    const answer = await new Host(world(), type, TOKEN.outsider).read(state);
    expect(answer.state).toEqual(state);
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "rights_lost" }]);
    expect(answer.diagnostics[0]!.action).toEqual({ kind: "forget", type });
  });

  test("if an object's project or group was deleted, a read without administrator's rights keeps the object and reports an error", async () => {
    await world().http("DELETE", place.path);
    const answer = await new Host(world(), type).read(state);
    expect(answer.state).toEqual(state);
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "rights_lost" }]);
  });

  test("if an object's project or group was deleted, an administrator's read drops the object from the state with a warning", async () => {
    await world().http("DELETE", place.path);
    const { state: left, diagnostics } = await new Host(world(), type, root()).read(state);
    expect(left).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "container_gone" }]);
  });

  test("if the token's role is too low, a read keeps the object in the state, and reports the error forbidden", async () => {
    await world().http("DELETE", `${place.role}/members/${USER.maya}`);
    await world().http("POST", `${place.role}/members`, { user_id: USER.maya, access_level: 30 });
    const answer = await new Host(world(), type).read(state);
    expect(answer.state).toEqual(state);
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
    expect(answer.diagnostics[0]!.action).toEqual({ kind: "forget", type });
  });

  test("if a project or group was deleted, the same run still reads objects of other projects", async () => {
    const elsewhere = await new Host(world(), "steward_job_token_scope").bring(undefined, { project: "4" });
    await world().http("DELETE", place.path);
    const run = world().connect();
    await new Host(world(), type).read(state, run);
    expect(await new Host(world(), "steward_job_token_scope").refresh(elsewhere, run)).toEqual(elsewhere);
  });

  type Blind = readonly [how: string, token: string, prepare: () => Promise<unknown>];
  const mayNotSee: readonly Blind[] = [
    ["by a token that can't see it", TOKEN.outsider, async () => undefined],
    ["after the project or group was deleted", TOKEN.maintainer, () => world().http("DELETE", place.path)],
  ];
  const destroyBy = (token: string) => new Host(world(), type, token).destroy(state);

  if (isSent(sample.writes.destroy)) {
    test.each(mayNotSee)(
      "if an object is destroyed %s, the provider reports an error and keeps the object in the state",
      async (_, token, prepare) => {
        await prepare();
        const answer = await destroyBy(token);
        expect(answer.state).toEqual(state);
        expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "rights_lost" }]);
      },
    );

    test("a destroy with a read-only token reports an error and keeps the state", async () => {
      const answer = await destroyBy(TOKEN.readOnly);
      expect(answer.state).toEqual(state);
      expect(new Set(answer.diagnostics.map(({ code }) => code))).toEqual(new Set(["insufficient_scope"]));
    });
  } else {
    const mayOnlyRead: Blind = ["by a token that can only read", TOKEN.readOnly, async () => undefined];
    test.each([...mayNotSee, mayOnlyRead])(
      "if the destroy of a resource sends no request, a destroy %s succeeds",
      async (_, token, prepare) => {
        await prepare();
        expect(await destroyBy(token)).toEqual({ diagnostics: [] });
      },
    );
  }

  test("if apply can't find the project or group of a new object, the error points at `project` or `group`", async () => {
    const host = new Host(world(), type);
    const blind = await planBlind(host, kind, sample.config);
    const answer = await host.apply(blind);
    expect(answer.state).toBeUndefined();
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "not_found", attribute: [kind] }]);
  });

  test("if no project or group has the declared id, the plan fails with an error about the attribute", async () => {
    const plan = await new Host(world(), type).plan(undefined, { ...sample.config, [kind]: "999" });
    expect(plan.planned).toBeUndefined();
    expect(plan.diagnostics).toMatchObject([
      { severity: "error", code: "reference_not_found", attribute: [kind] },
    ]);
  });

  test("if an import finds no object, the error contains the id", async () => {
    const suffix = String(state.attributes["id"]).replace(/^\d+/, "");
    for (const id of [`999${suffix}`, `acme/nowhere${suffix}`]) {
      const answer = await world().connect().importResource({ type, id });
      expect(answer.state).toBeUndefined();
      expect(answer.diagnostics).toMatchObject([{ code: "import_not_found" }]);
      expect(answer.diagnostics[0]!.detail).toContain(`"${id}"`);
    }
  });

  test("the error for an invalid import ID shows the expected format", async () => {
    const hasKey = String(state.attributes["id"]).includes(":");
    const answer = await world()
      .connect()
      .importResource({ type, id: hasKey ? "1" : "1:x" });
    expect(answer.diagnostics).toMatchObject([{ code: "invalid_import_id" }]);
    expect(answer.diagnostics[0]!.detail).toContain(`<${kind} id or full path>`);
  });
});

test("if an import ID has a path instead of a required number, the error shows the expected format", async () => {
  const type = "steward_job_token_allowlist_project";
  const { diagnostics } = await world().connect().importResource({ type, id: "acme/web:acme/tools" });
  expect(diagnostics).toMatchObject([{ code: "invalid_import_id" }]);
  expect(diagnostics[0]!.detail).toContain("<project id or full path>:<target project id>");
});

/** Plans a change, makes the project or group disappear, and then applies the plan. */
async function planBlind(host: Host, kind: keyof typeof PLACES, given: ValueObject) {
  const plan = await host.plan(undefined, { ...given, [kind]: PLACES[kind].other });
  const attributes = { ...plan.planned!.attributes, [kind]: "999" };
  const config = host.config({ ...given, [kind]: "999" });
  return { ...plan, config, planned: { attributes }, diagnostics: [] };
}

test("if GET /user is refused, a read of a hidden object keeps the state and reports the error rights_lost", async () => {
  const host = new Host(world(), "steward_job_token_scope");
  const state = await host.bring(undefined, { project: "acme/web", inbound_enabled: true });
  world().service.faults.add({ route: "/user", status: 403, always: true });
  const answer = await new Host(world(), "steward_job_token_scope", TOKEN.outsider).read(state);
  expect(answer).toMatchObject({ state, diagnostics: [{ severity: "error", code: "rights_lost" }] });
});
