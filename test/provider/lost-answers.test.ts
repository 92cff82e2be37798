import { pathOf } from "../support/path-of";
import { describeEvery } from "./samples";
import { loseAnswer, loseRequest } from "./support/faults";
import { Host } from "./support/host";
import { TOKEN, useWorld } from "./support/world";

// A write was sent and its answer lost: what the errors say, and what the state is. That nothing is done twice and nothing is
// lost, and that what never arrives is an error, the stories of test/simulator/story show.

const world = useWorld();
const scope = "/projects/:id/job_token_scope";
const environments = "/projects/:id/protected_environments";

describeEvery((type, sample) => {
  const { config, looksBeforeCreate } = sample;
  const { create } = sample.writes;
  const host = () => new Host(world(), type);

  test("when looking fails as well, the error gives the import command", async () => {
    const plan = await host().plan(undefined, config);
    loseAnswer(world(), create);
    world().service.faults.add({ method: "GET", status: 500, always: true, skip: looksBeforeCreate });
    const { diagnostics } = await host().apply(plan);
    expect(diagnostics.map(({ code }) => code)).toEqual(["lost_answer", "service_failed"]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: expect.stringMatching(/^1/) });
  });
});

describe("what is there after a lost answer", () => {
  test("an object that does not match was made by somebody else: it is not taken", async () => {
    const host = new Host(world(), "steward_protected_environment");
    const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
    const plan = await host.plan(undefined, config);
    await host.bring(undefined, { ...config, deploy_access_levels: [{ access_level: 60 }] });
    loseRequest(world(), { method: "POST", route: environments });
    const { state, diagnostics } = await host.apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "already_exists" }]);
  });
});

describe("a set of which a part could be written", () => {
  const allowlist = () => new Host(world(), "steward_job_token_allowlist");
  const route = `${scope}/allowlist`;

  test("a set of which a part was written is kept in the state with what exists, and the error is told", async () => {
    const plan = await allowlist().plan(undefined, { project: "1", target_projects: ["2", "3", "999"] });
    const { state, diagnostics } = await allowlist().apply(plan);
    expect(state!.attributes).toMatchObject({ id: "1", target_projects: ["2", "3"], target_groups: null });
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "not_found", attribute: pathOf('target_projects["999"]') },
    ]);
  });

  test("a set is in the state also where it was managed for the first time by an update", async () => {
    const state = await allowlist().bring(undefined, { project: "1", target_groups: [] });
    const answer = await allowlist().apply(
      await allowlist().plan(state, { project: "1", target_groups: [], target_projects: ["2", "999"] }),
    );
    expect(answer.state!.attributes).toMatchObject({ target_projects: ["2"], target_groups: [] });
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "not_found" }]);
  });

  test("tells every failure, not the first alone", async () => {
    world().service.faults.add({ method: "POST", route, status: 403 });
    const plan = await allowlist().plan(undefined, { project: "1", target_projects: ["2", "999"] });
    const { diagnostics } = await allowlist().apply(plan);
    expect(diagnostics.map(({ code }) => code).sort()).toEqual(["forbidden", "not_found"]);
  });

  test("a set of which nothing could be written has no state: what was there before is nobody's", async () => {
    await world().http("POST", "/projects/1/job_token_scope/allowlist", { target_project_id: 4 });
    const plan = await allowlist().plan(undefined, { project: "1", target_projects: ["2"] });
    const reader = new Host(world(), "steward_job_token_allowlist", TOKEN.readOnly);
    const { state, diagnostics } = await reader.apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "insufficient_scope" }]);
  });
});

describe("what changes between plan and apply", () => {
  const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
  const more = { ...config, deploy_access_levels: [{ access_level: 60 }] };
  const host = () => new Host(world(), "steward_protected_environment");
  const addRule = () =>
    world().http("PUT", "/projects/1/protected_environments/production", {
      approval_rules: [{ user_id: 22 }],
    });

  test("a change that nobody declared comes back as planned, and the next read shows it", async () => {
    const state = await host().bring(undefined, config);
    const plan = await host().plan(state, more);
    await addRule();
    const { state: after, diagnostics } = await host().apply(plan);
    expect(diagnostics).toEqual([]);
    expect(after!.attributes["approval_rules"]).toEqual([]);
    expect((await host().refresh(after!))!.attributes["approval_rules"]).toMatchObject([{ user: "devon" }]);
  });

  test("loses no state because its path can't be looked up any more", async () => {
    const state = await host().bring(undefined, config);
    const plan = await host().plan(state, more);
    await addRule();
    world().service.faults.add({ method: "GET", route: "/users/:id", status: 500, always: true });
    const { state: after, diagnostics } = await host().apply(plan);
    expect(diagnostics).toEqual([]);
    expect(after!.attributes["deploy_access_levels"]).toMatchObject([{ access_level: 60 }]);
  });

  test("an object that went away meanwhile is made anew", async () => {
    const state = await host().bring(undefined, config);
    const plan = await host().plan(state, more);
    await world().http("DELETE", "/projects/1/protected_environments/production");
    const { state: after } = await host().apply(plan);
    expect(await host().drift(after!, more)).toEqual([]);
  });
});
