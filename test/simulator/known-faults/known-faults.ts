import type { Story } from "../story/story";
import type { Violation } from "../world/records";
import type { World } from "../world/world";
import { type Owners, ownersOf } from "./owners";

/**
 * A fault of today's code, with a story that shows it. Random runs leave out what `concerns` describes, and nothing else.
 * Who mends the fault removes its row, and keeps the story among those that hold.
 */
export interface KnownFault {
  /** What happens, as a sentence. */
  readonly name: string;
  readonly invariant: string;
  readonly story: Story;
  readonly concerns: (owners: Owners, violation: Violation, world: World) => boolean;
}

export const KNOWN_FAULTS: readonly KnownFault[] = [];

/** The known fault behind a violation, if it is one. */
export function knownFault(violation: Violation, world: World): KnownFault | undefined {
  const owners = ownersOf(world, violation.identity ?? "");
  return KNOWN_FAULTS.find(({ concerns }) => concerns(owners, violation, world));
}
