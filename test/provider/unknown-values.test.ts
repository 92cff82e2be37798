import { UNKNOWN } from "../../src/schema";
import { Host } from "./support/host";
import { useWorld } from "./support/world";

// Tests values that are known only after the apply. The plan keeps these values as unknown. The provider checks the
// values once they are known.

const world = useWorld();
const host = (type: string) => new Host(world(), `steward_${type}`);

test("the plan of a set with an unknown element keeps this element unknown, and sends no POST request", async () => {
  world().service.requests.reset();
  const config = { project: "acme/web", target_projects: ["acme/tools", UNKNOWN] };
  const plan = await host("job_token_allowlist").plan(undefined, config);
  expect(plan.diagnostics).toEqual([]);
  expect(plan.planned!.attributes).toMatchObject({ target_projects: ["acme/tools", UNKNOWN], id: UNKNOWN });
  expect(world().service.requests.count("POST")).toBe(0);
});

test("two declarations with unknown projects are not reported as two declarations of one object", async () => {
  const run = host("job_token_scope").connect();
  const config = { project: UNKNOWN, inbound_enabled: true };
  for (const _ of [1, 2]) {
    expect((await host("job_token_scope").plan(undefined, config, run)).diagnostics).toEqual([]);
  }
});

test("if the project of a declaration is unknown, the plan replaces the object", async () => {
  const state = await host("job_token_scope").bring(undefined, {
    project: "acme/web",
    inbound_enabled: true,
  });
  const shown = await host("job_token_scope").plan(state, { project: UNKNOWN, inbound_enabled: true });
  expect(shown.planned!.attributes["project"]).toBe(UNKNOWN);
  expect(shown.requiresReplace).toEqual([["project"]]);
  const same = await host("job_token_scope").plan(state, { project: "1", inbound_enabled: true });
  expect(same.action).toBe("none");
});

test("the provider reports an error in a value as soon as the value is known", async () => {
  const entry = host("job_token_allowlist_project");
  expect((await entry.plan(undefined, { project: "1", target_project: UNKNOWN })).diagnostics).toEqual([]);
  const known = await entry.plan(undefined, { project: "1", target_project: "acme/web" });
  expect(known.diagnostics).toMatchObject([{ code: "invalid_value", attribute: ["target_project"] }]);
});

test("if the user of an access level is unknown, the plan adds the defaults of the level's other attributes", async () => {
  const config = { project: "1", name: "production", deploy_access_levels: [{ user: UNKNOWN }] };
  const plan = await host("protected_environment").plan(undefined, config);
  expect(plan.planned!.attributes["deploy_access_levels"]).toEqual([
    { user: UNKNOWN, group: null, access_level: null, group_inheritance_type: 0 },
  ]);
});
