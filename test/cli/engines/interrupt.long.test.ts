import path from "node:path";
import { describeWith } from "../../support/capabilities";
import { holdingProxy } from "../support/holding-proxy";
import { openPlace, type Place } from "../support/place";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(120_000);

describeWith("engine", "Ctrl-C under --engine", (program) => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(() => place.close());

  const start = (url: string) =>
    place.start(
      ["apply", "--auto-approve", "--config", ".", "--parallelism", "1", "--engine", path.basename(program)],
      { STEWARD_BASE_URL: url },
    );

  test("once has the program finish and save what is under way; the next run goes on", async () => {
    const proxy = await holdingProxy(place.service.url);
    const run = start(proxy.url);
    await proxy.holds;
    run.child.kill("SIGINT");
    await run.wrote("out", "Interrupt received");
    proxy.release();
    const { code } = await run.ended;
    proxy.close();
    expect(code).toBe(1);
    const { resources } = JSON.parse(place.read("terraform.tfstate")) as {
      resources: { mode: string; instances: unknown[] }[];
    };
    const managed = resources.filter(({ mode }) => mode === "managed");
    expect(managed.flatMap(({ instances }) => instances)).toHaveLength(1);
    const again = await start(place.service.url).ended;
    expect(again).toMatchObject({ code: 0, err: "" });
  });

  test("twice ends it at once", async () => {
    const proxy = await holdingProxy(place.service.url);
    const run = start(proxy.url);
    await proxy.holds;
    run.child.kill("SIGINT");
    await run.wrote("out", "Interrupt received");
    run.child.kill("SIGINT");
    const { code } = await run.ended;
    proxy.close();
    expect(code).toBe(130);
  });
});
