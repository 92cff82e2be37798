import { fromListing, type LiveSettings } from "../../../src/adopt";
import { listLive } from "../../../src/engine";
import type { World } from "../../provider/support/world";
import { TOKENS } from "../groups/people";

/** What is live in a group, its subgroups and their projects, as the command reads it. */
export async function liveSettings(world: World, group: string): Promise<LiveSettings> {
  const connected = world.connect(TOKENS.reader);
  const listing = await listLive(world.provider, connected, { names: [group], contents: "nested" });
  expect(listing.diagnostics).toEqual([]);
  return fromListing(listing, world.provider.schema);
}
