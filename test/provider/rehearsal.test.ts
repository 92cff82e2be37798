import type { ApplyRequest } from "../../src/framework/protocol/protocol";
import { VirtualClock } from "../api/support/virtual-clock";
import { appliedBy, changedInPlace, SAMPLES } from "./samples";
import { Host } from "./support/host";
import { useWorld } from "./support/world";

// A rehearsal reports which requests a change would send, and sends none of them. Reads never show the change, so a
// rehearsal must not wait for it.

const world = useWorld();

describe.each(Object.keys(SAMPLES))("the requests that a plan lists for %s", (type) => {
  const { config } = SAMPLES[type]!;

  /** Returns the milliseconds of all pauses while a new run rehearses a change. */
  async function pauses(change: Pick<ApplyRequest, "prior" | "planned" | "config">): Promise<number> {
    const clock = new VirtualClock();
    const began = clock.now();
    const run = world().connect(appliedBy(type), { clock });
    expect((await run.rehearse!({ type, ...change })).diagnostics).toEqual([]);
    return clock.now() - began;
  }

  test("to list the requests of a create, the provider does not wait and sends no write request", async () => {
    const host = new Host(world(), type);
    world().service.requests.reset();
    const { planned, config: given } = await host.plan(undefined, config);
    expect(await pauses({ prior: undefined, planned, config: given })).toBe(0);
    expect(writes()).toEqual([]);
  });

  test("to list the requests of an update or delete, the provider does not wait and sends no write request", async () => {
    const host = new Host(world(), type);
    const prior = await host.bring(undefined, config);
    world().service.requests.reset();
    const update = await host.plan(prior, changedInPlace(type));
    if (update.action === "update")
      expect(await pauses({ prior, planned: update.planned, config: update.config })).toBe(0);
    expect(await pauses({ prior, planned: undefined, config: undefined })).toBe(0);
    expect(writes()).toEqual([]);
  });

  const writes = () => world().service.requests.all.filter(({ method }) => method !== "GET");
});
