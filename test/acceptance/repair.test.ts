import fc from "fast-check";
import type { ByHand } from "../../src/provider/samples/sample";
import { containerOf, placed, SAMPLES } from "../provider/samples";
import { ownPath, withOwnPlaces } from "../provider/support/own-places";
import { Stack } from "../provider/support/stack";
import { startWorld, TOKEN, type World } from "../provider/support/world";
import { runs, seed } from "../support/capabilities";

// The tests cover the changes that a repair makes. test/cli/transcripts/repair.transcript covers the changes that it leaves
// to apply.

/** One object of every resource. Each object is in a separate project or group. */
const SAMPLED = Object.fromEntries(
  Object.keys(SAMPLES).map((type) => [type, { it: placed(type, ownPath(type)) }]),
);

/**
 * Returns the configuration. The provider uses an administrator's token, because only an administrator may change Pages.
 */
const declarationsIn = ({ service }: World, resource: object) => ({
  provider: { steward: [{ base_url: service.url, token: TOKEN.administrator, max_attempts: 1 }] },
  resource,
});

/** A manual change of one object, and the drift that it causes. */
interface Act {
  readonly name: string;
  readonly address: string;
  /** The names of the drifted attributes. Empty if the change deletes the object. */
  readonly attributes: readonly string[];
  act(world: World): Promise<unknown>;
}

const at = (type: string) => `/${containerOf(type)}s/${encodeURIComponent(ownPath(type))}`;

const BY_HAND: readonly Act[] = Object.entries(SAMPLES).flatMap(([type, { byHand, deleteByHand }]) => {
  const act = (name: string, attributes: readonly string[], by: ByHand): Act => ({
    name: `${type}: ${name}`,
    address: `${type}.it`,
    attributes,
    act: ({ http }) => by(http, at(type)),
  });
  return [
    ...Object.entries(byHand).map(([name, by]) => act(name, [name], by)),
    ...(typeof deleteByHand === "function" ? [act("deleted", [], deleteByHand)] : []),
  ];
});

/** Returns the declared objects on the service, without the ids and dates that the service assigns. */
async function live({ http }: World): Promise<unknown> {
  const all = await Promise.all(
    Object.entries(SAMPLES).flatMap(([type, { leaves }]) =>
      Object.keys(leaves).map((path) => http("GET", `${at(type)}/${path}`, undefined, TOKEN.administrator)),
    ),
  );
  return JSON.parse(JSON.stringify(all, (name, value) => (isOfOneRun(name) ? undefined : sorted(value))));
}

/** Returns whether the value of a field differs between runs. */
const isOfOneRun = (name: string): boolean =>
  name === "id" || (name.endsWith("_at") && name !== "expires_at");

const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? [...value].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) : value;

/** Returns a sort key that does not depend on new ids. */
const keyOf = (value: unknown): string =>
  JSON.stringify(value, (name, one) => (name === "id" || name === "created_at" ? undefined : one));

/** The test changes each object only once, because a second change could undo the first change. */
const once = fc.uniqueArray(fc.constantFrom(...BY_HAND), {
  minLength: 1,
  selector: ({ address }) => address,
});

describe("drift and its repair", () => {
  test("after any manual changes, drift --repair restores the declared values", async () => {
    await fc.assert(
      fc.asyncProperty(once, async (done) => {
        const world = await startWorld(withOwnPlaces());
        const stack = new Stack(world, declarationsIn(world, SAMPLED));
        try {
          expect((await stack.apply()).diagnostics).toEqual([]);
          const declared = await live(world);
          for (const { act } of done) await act(world);
          const { drifted } = await stack.drift();
          expect(drifted.map(({ change, attributes }) => [change.address, [...attributes].sort()])).toEqual(
            expectedOf(done),
          );
          expect(await stack.repair()).toEqual([]);
          expect(await live(world)).toEqual(declared);
          expect((await stack.drift()).drifted).toEqual([]);
        } finally {
          stack.remove();
          await world.close();
        }
      }),
      { numRuns: runs(3, 150), seed },
    );
  });
});

function expectedOf(done: readonly Act[]): [string, string[]][] {
  const byAddress = new Map<string, Set<string>>();
  for (const { address, attributes } of done) {
    const known = byAddress.get(address) ?? new Set();
    for (const name of attributes) known.add(name);
    byAddress.set(address, known);
  }
  return [...byAddress]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([address, names]) => [address, [...names].sort()]);
}
