import * as fc from "fast-check";
import type { ConfiguredProvider, StoredState } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { appliedBy, describeEvery } from "../provider/samples";
import { Host } from "../provider/support/host";
import { PROJECT, startWorld, type World } from "../provider/support/world";
import { runs, seed } from "../support/capabilities";

// The last line of defence: whatever a plan overlooked, a deletion takes nothing away that stays declared.

const provider = createProvider();
const kept = [{ severity: "warning", code: "still_declared" }];

let world: World;
beforeEach(async () => {
  world = await startWorld(undefined, provider);
});
afterEach(() => world.close());

const writes = () =>
  world.service.requests.all.filter(({ method }) => method !== "GET").map(({ method }) => method);

describeEvery((type, sample) => {
  let host: Host;
  let state: StoredState;
  let config: ValueObject;
  let run: ConfiguredProvider;
  const id = () => String(state.attributes["id"]);
  const end = (address?: string) =>
    run.applyResource({ type, address, prior: state, planned: undefined, config: undefined });
  const expectUntouched = async () => expect(await host.drift(state, sample.config)).toEqual([]);

  beforeEach(async () => {
    host = new Host(world, type);
    config = host.config(sample.config);
    state = await host.bring(undefined, sample.config);
    run = world.connect(appliedBy(type));
    host.expectReads([state], run);
    world.service.requests.reset();
  });

  test("an unchanged declaration at another address holds it: nothing is sent, and the end succeeds with a warning", async () => {
    await run.expectChanges!([{ type, address: "steward_x.b", object: id(), planned: state }], []);
    expect(await end("steward_x.a")).toMatchObject({ diagnostics: kept });
    expect(writes()).toEqual([]);
    await expectUntouched();
  });

  test("a deposed object that the present one of its address is as well stays, also where only the change of that was seen", async () => {
    await run.expectChanges!([{ type, address: "steward_x.a", object: id(), planned: state }], []);
    expect(await end("steward_x.a")).toMatchObject({ diagnostics: kept });
    run = world.connect(appliedBy(type), { host: "terraform" });
    await run.applyResource({ type, prior: state, planned: state, config });
    expect(await run.planDestroy({ type, prior: state })).toEqual({ diagnostics: [] });
    expect(await end()).toMatchObject({ diagnostics: kept });
    expect(writes()).toEqual([]);
    await expectUntouched();
  });

  test("a declaration that will make it at another address takes it over, without an end", async () => {
    const planned = (await run.planResource({ type, prior: undefined, config })).planned!;
    await run.expectChanges!([{ type, address: "steward_x.b", planned }], []);
    expect(await end("steward_x.a")).toMatchObject({ diagnostics: kept });
    const made = await run.applyResource({ type, address: "steward_x.b", prior: undefined, planned, config });
    expect(made.diagnostics).toEqual([]);
    expect(made.state?.attributes["id"]).toBe(id());
    expect(writes()).toEqual([]);
    await expectUntouched();
  });

  test("its own declaration may replace it, and nobody else's is in the way of an end", async () => {
    const planned = (await run.planResource({ type, prior: undefined, config })).planned!;
    await run.expectChanges!(
      [{ type, address: "steward_x.a", planned }],
      [{ type, address: "steward_x.a", ...state }],
    );
    expect(await end("steward_x.a")).toEqual({ diagnostics: [] });
    const { diagnostics } = await run.applyResource({
      type,
      address: "steward_x.a",
      prior: undefined,
      planned,
      config,
    });
    expect(diagnostics).toEqual([]);
    expect((await host.destroy(state)).diagnostics).toEqual([]);
  });
});

test(
  "changes that only an apply finds out to be renames, shifts and swaps end with what is declared, in any order",
  async () => {
    const ENTRY = "steward_job_token_allowlist_project";
    const host = new Host(world, ENTRY);
    const target = fc.option(fc.constantFrom(2, 3, 4), { nil: undefined });
    const targets = fc.uniqueArray(target, {
      minLength: 4,
      maxLength: 4,
      comparator: (one, other) => one !== undefined && one === other,
    });
    const list = `/projects/${PROJECT.web}/job_token_scope/allowlist`;
    const steps = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    await fc.assert(
      fc.asyncProperty(targets, targets, steps, fc.boolean(), async (before, after, order, isAtOnce) => {
        const config = (id: number) => host.config({ project: "1", target_project: String(id) });
        const states = await Promise.all(
          before.map((id) => (id === undefined ? undefined : host.bring(undefined, config(id)))),
        );
        const run = world.connect(undefined, { host: "terraform" });
        const end = async (at: number) => {
          const prior = states[at];
          if (prior === undefined || before[at] === after[at]) return;
          await run.applyResource({ type: ENTRY, prior, planned: undefined, config: undefined });
        };
        const begin = async (at: number) => {
          const id = after[at];
          if (id === undefined || before[at] === id) return;
          const { planned } = await run.planResource({ type: ENTRY, prior: undefined, config: config(id) });
          await run.applyResource({ type: ENTRY, prior: undefined, planned, config: config(id) });
        };
        // An address is begun anew after its end, and else everything comes as it may.
        const ended = new Map<number, Promise<void>>();
        const endOnce = (at: number) => ended.get(at) ?? ended.set(at, end(at)).get(at)!;
        const changes = order.map((step) => async () => {
          await endOnce(step % 4);
          if (step >= 4) await begin(step % 4);
        });
        if (isAtOnce) await Promise.all(changes.map((change) => change()));
        else for (const change of changes) await change();
        const live = ((await world.http("GET", list)) as { id: number }[]).map(({ id }) => id);
        for (const id of live) if (id !== PROJECT.web) await world.http("DELETE", `${list}/${id}`);
        const declared = after.filter((id) => id !== undefined);
        expect(live.sort()).toEqual([PROJECT.web, ...declared].sort());
      }),
      { seed, numRuns: runs(15, 600) },
    );
  },
  runs(60_000, 600_000),
);
