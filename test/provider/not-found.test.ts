import { createProvider } from "../../src/provider";
import type { StoredState } from "../../src/provider/protocol";
import { Host } from "./support/host";
import { SAMPLES } from "./support/samples";
import { PROJECT, TOKEN, useWorld } from "./support/world";

// A 404 means gone only where the project can still be read: a token that lost its rights loses no state.

const world = useWorld();
const types = Object.keys(createProvider().schema.resources);
const root = () => world().service.adminToken;

describe.each(types)("%s", (type) => {
  let state: StoredState;
  beforeEach(async () => {
    state = await new Host(world(), type).bring(undefined, SAMPLES[type]!.config);
  });

  test("kept, with a warning that gives the command, when the token can't see the project any more", async () => {
    const answer = await new Host(world(), type, TOKEN.outsider).read(state);
    expect(answer.state).toEqual(state);
    expect(answer.diagnostics).toMatchObject([{ severity: "warning", code: "rights_lost" }]);
    expect(answer.diagnostics[0]!.detail).toContain("`steward state rm ADDRESS`");
  });

  test("kept, with a warning, when the project is gone, as far as this token can tell", async () => {
    await world().http("DELETE", `/projects/${PROJECT.web}`);
    const answer = await new Host(world(), type).read(state);
    expect(answer.state).toEqual(state);
    expect(answer.diagnostics).toMatchObject([{ severity: "warning", code: "rights_lost" }]);
  });

  test("dropped for an administrator, to whom 404 means gone", async () => {
    await world().http("DELETE", `/projects/${PROJECT.web}`);
    expect(await new Host(world(), type, root()).read(state)).toEqual({ diagnostics: [] });
  });

  test("kept, with the refusal, when the role is too low", async () => {
    await world().http("DELETE", `/groups/11/members/21`);
    await world().http("POST", `/groups/11/members`, { user_id: 21, access_level: 30 });
    const answer = await new Host(world(), type).read(state);
    expect(answer.state).toEqual(state);
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
  });

  test("other projects go on in the same run", async () => {
    const elsewhere = await new Host(world(), "steward_job_token_scope").bring(undefined, { project: "4" });
    await world().http("DELETE", `/projects/${PROJECT.web}`);
    const run = world().connect();
    await new Host(world(), type).read(state, run);
    expect(await new Host(world(), "steward_job_token_scope").refresh(elsewhere, run)).toEqual(elsewhere);
  });

  const leavesAlone = type === "steward_job_token_scope";
  test.each([
    ["by a token that can't see the project", TOKEN.outsider],
    ["of a project that seems gone", TOKEN.maintainer],
  ])("a destroy %s keeps the state and is an error, as nobody knows whether it is done", async (_, token) => {
    if (token === TOKEN.maintainer) await world().http("DELETE", `/projects/${PROJECT.web}`);
    const answer = await new Host(world(), type, token).destroy(state);
    // Destroying this one sends nothing: what it set stays.
    if (leavesAlone) expect(answer).toEqual({ diagnostics: [] });
    else {
      expect(answer.state).toEqual(state);
      expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "rights_lost" }]);
    }
  });

  test("a destroy by a token that may only read says so, and keeps the state", async () => {
    const answer = await new Host(world(), type, TOKEN.readOnly).destroy(state);
    if (leavesAlone) expect(answer).toEqual({ diagnostics: [] });
    else {
      expect(answer.state).toEqual(state);
      expect(new Set(answer.diagnostics.map(({ code }) => code))).toEqual(new Set(["insufficient_scope"]));
    }
  });

  test("a create in a project that went away since the plan is one error with the attribute", async () => {
    const host = new Host(world(), type);
    const blind = await planBlind(host, { ...SAMPLES[type]!.config, project: "999" });
    const answer = await host.apply(blind);
    expect(answer.state).toBeUndefined();
    expect(answer.diagnostics).toMatchObject([
      { severity: "error", code: "not_found", attribute: ["project"] },
    ]);
  });

  test("a project of an id that is not there is told at plan, with the attribute", async () => {
    const plan = await new Host(world(), type).plan(undefined, { ...SAMPLES[type]!.config, project: "999" });
    expect(plan.planned).toBeUndefined();
    expect(plan.diagnostics).toMatchObject([
      { severity: "error", code: "reference_not_found", attribute: ["project"] },
    ]);
  });

  test("an import of what is not there is an error that names the id", async () => {
    const suffix = String(state.attributes["id"]).slice(1);
    for (const id of [`999${suffix}`, `acme/nowhere${suffix}`]) {
      const answer = await world().connect().importResource({ type, id });
      expect(answer.state).toBeUndefined();
      expect(answer.diagnostics).toMatchObject([{ code: "import_not_found" }]);
      expect(answer.diagnostics[0]!.detail).toContain(`"${id}"`);
    }
  });

  test("an id that is none is an error that shows the form", async () => {
    const hasKey = String(state.attributes["id"]).includes(":");
    const answer = await world()
      .connect()
      .importResource({ type, id: hasKey ? "1" : "1:x" });
    expect(answer.diagnostics).toMatchObject([{ code: "invalid_import_id" }]);
    expect(answer.diagnostics[0]!.detail).toContain("<project id or full path>");
  });
});

/** Plans where the project is there, and applies where it isn't: a project that goes away in between. */
async function planBlind(host: Host, config: Parameters<Host["plan"]>[1]) {
  const plan = await host.plan(undefined, { ...config, project: "7" });
  const attributes = { ...plan.planned!.attributes, project: "999" };
  return { ...plan, config: host.config(config), planned: { attributes }, diagnostics: [] };
}
