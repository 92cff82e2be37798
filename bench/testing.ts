// Measures a test of an app as docs/testing.md shows it. The test plans and applies an app of 10 resources, and
// compares the app with the service. Plan, apply and comparison run in the process of the test. The first test is
// measured separately, because it loads the engine and the provider.
import { TerraformStack, Testing } from "cdktf";
import { AccessLevel, JobTokenScope, ProtectedEnvironment, StewardProvider } from "cdktf-provider-steward";
import { assertInSync, assertPlan, startService, testStack } from "cdktf-provider-steward/testing";
import { median, print } from "./figures";

const PROJECTS = ["acme/web-shop", "acme/tools", "acme/docs", "acme/site", "acme/api"];
const TESTS = 15;
const AT_MOST = 300;

class Shop extends TerraformStack {
  constructor() {
    super(Testing.app(), "shop");
    new StewardProvider(this, "steward");
    for (const project of PROJECTS) {
      const name = project.replace("/", "-");
      new JobTokenScope(this, `${name}-limit`, { project, inboundEnabled: true });
      new ProtectedEnvironment(this, `${name}-production`, {
        project,
        name: "production",
        deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
      });
    }
  }
}

/** Runs a whole test with its own service. */
async function test(): Promise<void> {
  const service = await startService({
    fixture: {
      groups: [{ path: "acme" }],
      projects: PROJECTS.map((path) => ({ path, job_token_scope: { inbound_enabled: false } })),
    },
  });
  try {
    const stack = testStack(new Shop(), { service });
    await assertPlan(stack, { add: 10 });
    await stack.apply();
    await assertInSync(stack);
  } finally {
    await service.close();
  }
}

/**
 * Measures the milliseconds of a test on the clock, and of the processor. Other programs make only the clock's time
 * longer.
 */
async function measured(): Promise<{ readonly wall: number; readonly cpu: number }> {
  const [start, used] = [performance.now(), process.cpuUsage()];
  await test();
  const { user, system } = process.cpuUsage(used);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

async function main(): Promise<void> {
  const first = await measured();
  const next = [];
  for (let n = 0; n < TESTS; n++) next.push(await measured());
  print({ name: "test of an app of 10 resources, the first", value: first.wall, unit: "ms" });
  print({
    name: "  each after it: service, plan, apply, in sync",
    value: median(next.map(({ wall }) => wall)),
    unit: "ms",
    atMost: AT_MOST,
  });
  print({ name: "  of which the processor worked", value: median(next.map(({ cpu }) => cpu)), unit: "ms" });
}

void main();
