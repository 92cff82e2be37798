import { describeEvery } from "./samples";
import { Host } from "./support/host";
import { TOKEN, useWorld } from "./support/world";

// Tests the errors and the state after a write without a response. The stories in test/simulator/story test that no
// change is repeated or lost, and that a write which never arrived is an error.

const world = useWorld();

describeEvery((type, sample) => {
  const { config, looksBeforeCreate } = sample;
  const { create } = sample.writes;
  const host = () => new Host(world(), type);

  test("if a create's response is lost and the next read fails, the error suggests the import command", async () => {
    const plan = await host().plan(undefined, config);
    world().service.faults.add({ ...create, cut: true, after_work: true });
    world().service.faults.add({ method: "GET", status: 500, always: true, skip: looksBeforeCreate });
    const { diagnostics } = await host().apply(plan);
    expect(diagnostics.map(({ code }) => code)).toEqual(["lost_answer", "service_failed"]);
    expect(diagnostics[0]!.action).toEqual({
      kind: "import",
      id: expect.stringMatching(/^acme\/(?:web|platform)/),
    });
  });
});

test("if the responses to several writes are lost, the provider reads the collection at most twice", async () => {
  const targets = [2, 3, 4, 5, 7];
  const host = new Host(world(), "steward_job_token_allowlist_project", TOKEN.owner);
  const run = host.connect();
  const plans = await Promise.all(
    targets.map((target) => host.plan(undefined, { project: "1", target_project: String(target) }, run)),
  );
  world().service.faults.add({ method: "POST", cut: true, after_work: true, times: targets.length });
  world().service.requests.reset();
  const answers = await Promise.all(plans.map((plan) => host.apply(plan, run)));
  expect(answers.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(world().service.requests.count("GET", "/projects/:id/job_token_scope/allowlist")).toBeLessThan(3);
  expect(world().service.requests.count("POST")).toBe(targets.length);
});
