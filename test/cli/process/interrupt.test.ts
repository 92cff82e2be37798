import { holdingProxy } from "../support/holding-proxy";
import { openPlace, type Place } from "../support/place";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

test("SIGTERM in an apply finishes and saves what is under way, begins nothing more, and the next run goes on", async () => {
  const proxy = await holdingProxy(place.service.url);
  const args = ["apply", "--auto-approve", "--config", ".", "--parallelism", "1"];
  const run = place.start(args, { STEWARD_BASE_URL: proxy.url });
  await proxy.holds;
  run.child.kill("SIGTERM");
  await run.wrote("err", "Stopping: what is under way is finished and saved.");
  proxy.release();
  const { code, out } = await run.ended;
  proxy.close();
  expect(code).toBe(1);
  expect(out).toContain("Apply incomplete");
  const { resources } = JSON.parse(place.read("terraform.tfstate")) as { resources: { mode: string }[] };
  expect(resources.filter(({ mode }) => mode === "managed")).toHaveLength(1);

  expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
  expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
});
