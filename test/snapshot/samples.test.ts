import type { StoredState } from "../../src/framework/protocol/protocol";
import { changedInPlace, describeEvery } from "../provider/samples";
import { Host } from "../provider/support/host";
import { startWorld, type World } from "../provider/support/world";
import { snapshotOf } from "./support/snapshots";

// Tests that a snapshot keeps every attribute of every resource. A new resource only needs a sample.

jest.setTimeout(60_000);

describeEvery((type, sample) => {
  let original: World;
  beforeEach(async () => {
    original = await startWorld();
  });
  afterEach(() => original.close());

  test.each([
    ["the test sample", [sample.config]],
    ["the changed test sample", [sample.config, changedInPlace(type)]],
  ])("the plan of %s is empty on a service that starts from a snapshot", async (_, configs) => {
    const host = new Host(original, type);
    let state: StoredState | undefined;
    for (const config of configs) state = await host.bring(state, config);
    const { text } = await snapshotOf(original.service, ["acme"]);

    const copy = await startWorld(text);
    try {
      const hostOfCopy = new Host(copy, type, copy.service.adminToken);
      expect(await hostOfCopy.refresh(state!)).toEqual(await host.refresh(state!));
      expect(await hostOfCopy.drift(state!, configs.at(-1)!)).toEqual([]);
    } finally {
      await copy.close();
    }
  });
});
