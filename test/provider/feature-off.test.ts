import { HttpProxy } from "../support/http-proxy";
import { Host } from "./support/host";
import { providerConfig, TOKEN, useWorld } from "./support/world";

// A 403 may be about a feature that is off, or that the licence does not have: no role helps then, and it is said.

const world = useWorld();
let proxy: HttpProxy | undefined;
afterEach(() => proxy?.close());

/** A run behind which one area answers 403 with these words. */
async function runWith(body: object) {
  proxy = new HttpProxy(world().service.url, async (passage) => {
    if (!passage.url.includes("/protected_environments")) return passage.answer(await passage.forward());
    passage.answer({
      status: 403,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
  });
  const base_url = await proxy.start();
  return world().provider.configure(
    providerConfig(world().provider, { base_url, token: TOKEN.maintainer, max_attempts: 1 }),
    {},
  ).provider!;
}

const host = () => new Host(world(), "steward_protected_environment");
const config = {
  project: "acme/web",
  name: "production",
  deploy_access_levels: [{ access_level: 40 }],
};

test.each([
  { message: "403 Forbidden - feature not available" },
  { message: "403 Forbidden - Protected environments are not available in your plan" },
  { message: "403 Forbidden - This feature requires a Premium license" },
  { message: "Job token scope is not enabled" },
  { message: "403 Forbidden - Pages disabled" },
  { message: "403 Forbidden - The container registry is disabled for this project" },
  { message: { base: ["Your subscription tier does not include this"] } },
  { error: "forbidden", error_description: "This feature has been turned off by an administrator" },
])("%j is a feature that is off, at a write and at a read, where a role was asked for", async (body) => {
  const plan = await host().plan(undefined, config);
  const run = await runWith(body);
  const { state, diagnostics } = await host().apply(plan, run);
  expect(state).toBeUndefined();
  expect(diagnostics).toMatchObject([{ severity: "error", code: "feature_off" }]);
  expect(diagnostics[0]!.detail).toContain("Enable the feature");
  expect(diagnostics[0]!.detail).not.toContain("role Maintainer");

  const applied = await host().bring(undefined, config);
  const read = await host().read(applied, run);
  expect(read.diagnostics).toMatchObject([{ severity: "error", code: "feature_off" }]);
  expect(read.state).toEqual(applied);
  expect(read.diagnostics[0]!.action).toMatchObject({ kind: "forget" });
  await run.close();
});

test.each([
  "403 Forbidden",
  "403 Forbidden - You are not allowed to protect environments",
  "403 Forbidden - Your account has been blocked",
  "403 Forbidden - Your account is disabled, and so is every feature",
  "The current user is not authorized to update the page settings",
  "403 Forbidden - Personal access tokens are disabled",
])("%j is about the token's user, and no feature that is off", async (message) => {
  const plan = await host().plan(undefined, config);
  const run = await runWith({ message });
  const { diagnostics } = await host().apply(plan, run);
  expect(diagnostics).toMatchObject([{ severity: "error", code: "forbidden" }]);
  expect(diagnostics[0]!.detail).toContain("Maintainer");
  await run.close();
});
