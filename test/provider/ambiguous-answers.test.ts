import { Host } from "./support/host";
import { TOKEN, useWorld, type World } from "./support/world";

// A change was sent, and what came back leaves open whether it was done: how often it is sent, and what counts as a look.
// That nothing is done twice, sent without a look or lost, the stories of test/simulator/story/holding.ts show.

const world = useWorld();

type Fault = Omit<Parameters<World["service"]["faults"]["add"]>[0], "method">;

const METHODS = ["POST", "PUT", "PATCH", "DELETE"] as const;

/** Every write meets the fault: the first of each method, or all of them until `times` are met. */
const disturb = (fault: Fault, times = 1): void => {
  for (const method of METHODS) world().service.faults.add({ ...fault, method, times });
};

describe("a change that is ambiguous several times", () => {
  const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
  const host = () => new Host(world(), "steward_protected_environment");
  const posts = () => world().service.requests.count("POST", "/projects/:id/protected_environments");

  test("an ambiguous change is sent up to five times", async () => {
    disturb({ status: 503 }, 4);
    await host().bring(undefined, config);
    expect(posts()).toBe(5);
  });

  test("ends after that with an error", async () => {
    const plan = await host().plan(undefined, config);
    disturb({ status: 503 }, 5);
    expect((await host().apply(plan)).diagnostics).toMatchObject([{ code: "service_unavailable" }]);
    expect(posts()).toBe(5);
  });

  test("an ambiguous change is not sent again where the service asks for a pause of more than five minutes", async () => {
    const plan = await host().plan(undefined, config);
    disturb({ status: 503, retry_after: 3000 });
    const { diagnostics } = await host().apply(plan);
    expect(diagnostics).toMatchObject([
      { detail: expect.stringContaining("asks to wait 50 minutes, until") },
    ]);
    expect(posts()).toBe(1);
  });
});

test("what this run had seen before the write is not taken for the write's own", async () => {
  const type = "steward_protected_environment";
  const host = new Host(world(), type);
  const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
  const other = await host.bring(undefined, { ...config, name: "staging" });
  await host.bring(undefined, config);
  const run = host.connect();
  await run.listResource({ type, within: "1" });
  const plan = await host.plan(undefined, config, run);
  disturb({ status: 503 });
  expect((await host.apply(plan, run)).diagnostics).toMatchObject([{ code: "already_exists" }]);
  expect(other.attributes["id"]).toBe("1:staging");
});

test("one reading of a collection is for all writes of it that were lost meanwhile", async () => {
  const targets = [2, 3, 4, 5, 7];
  const host = new Host(world(), "steward_job_token_allowlist_project", TOKEN.owner);
  const run = host.connect();
  const plans = await Promise.all(
    targets.map((target) => host.plan(undefined, { project: "1", target_project: String(target) }, run)),
  );
  disturb({ cut: true, after_work: true }, targets.length);
  world().service.requests.reset();
  const answers = await Promise.all(plans.map((plan) => host.apply(plan, run)));
  expect(answers.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(world().service.requests.count("GET", "/projects/:id/job_token_scope/allowlist")).toBeLessThan(3);
  expect(world().service.requests.count("POST")).toBe(targets.length);
});
