import { Host } from "./support/host";
import { PROJECT, useWorld } from "./support/world";

// Tests an instance whose administrator limits job tokens for all projects.

const world = useWorld();
const TYPE = "steward_job_token_scope";
const OPEN = { project: "acme/web", inbound_enabled: false };

const enforce = (isEnforced: boolean) =>
  world().http(
    "PUT",
    "/application/settings",
    { enforce_ci_inbound_job_token_scope_enabled: isEnforced },
    world().service.adminToken,
  );
const asked = () => world().service.requests.all.filter(({ route }) => route === "/application/settings");

test("if the instance enforces the inbound limit, an administrator's plan warns about inbound_enabled = false", async () => {
  await enforce(true);
  const host = new Host(world(), TYPE, world().service.adminToken);
  const { diagnostics } = await host.plan(undefined, OPEN);
  expect(diagnostics).toMatchObject([
    { severity: "warning", code: "job_token_limit_enforced", attribute: ["inbound_enabled"] },
  ]);
  const state = await host.bring(undefined, { ...OPEN, inbound_enabled: true });
  expect((await host.plan(state, OPEN)).diagnostics).toMatchObject([{ code: "job_token_limit_enforced" }]);
});

test("without an administrator's token, apply instead of plan reports that the instance forbids inbound_enabled = false", async () => {
  await enforce(true);
  const host = new Host(world(), TYPE);
  const plan = await host.plan(undefined, OPEN);
  expect(plan.diagnostics).toEqual([]);
  const { diagnostics } = await host.apply(plan);
  expect(diagnostics).toMatchObject([
    { severity: "error", detail: expect.stringContaining("enforce_ci_inbound_job_token_scope_enabled") },
  ]);
});

test("if the code does not declare inbound_enabled = false, the provider sends no request for the instance's settings", async () => {
  const host = new Host(world(), TYPE, world().service.adminToken);
  world().service.requests.reset();
  await host.bring(undefined, { ...OPEN, inbound_enabled: true });
  await host.bring(undefined, { project: String(PROJECT.tools) });
  expect(asked()).toEqual([]);
  await host.plan(undefined, OPEN);
  expect(asked()).toHaveLength(1);
});
