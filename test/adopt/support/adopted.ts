import { fromListing, type LiveSettings } from "../../../src/adopt";
import { type drift, listLive } from "../../../src/engine";
import type { World } from "../../provider/support/world";
import { TOKENS } from "../groups/people";

/** Reads the live objects of a group, its subgroups and their projects, as the command does. */
export async function liveSettings(world: World, group: string): Promise<LiveSettings> {
  const connected = world.connect(TOKENS.reader);
  const listing = await listLive(world.provider, connected, { names: [group], contents: "nested" });
  expect(listing.diagnostics).toEqual([]);
  return fromListing(listing, world.provider.schema);
}

/** Returns each finding of a drift run as a text with the place, the object, and the live values of the attributes. */
export const findingsOf = ({
  stacks,
  unmanaged,
}: Awaited<ReturnType<typeof drift>["result"]>): readonly string[] => [
  ...stacks.flatMap(({ report }) =>
    report!.drifted.map(({ change, attributes }) => {
      const values = attributes.map((name) => [name, change.after?.[name]]);
      return `${change.container?.name} ${change.address} ${JSON.stringify(values)}`;
    }),
  ),
  ...unmanaged.map(({ type, id, place, live }) => `${place?.name} ${type} ${id} ${JSON.stringify(live)}`),
];
