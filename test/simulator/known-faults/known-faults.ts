import { declare, inOneStack, run } from "../story/steps";
import type { Story } from "../story/story";
import type { Thing } from "../world/objects";
import type { Violation } from "../world/records";
import type { World } from "../world/world";
import { type Owners, ownersOf } from "./owners";

const VANISHED: Thing = { kind: "environment", at: "api", key: "staging", content: 0 };

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

export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    name: "a repair leaves a vanished object whose state names its project by path, and its declaration by number",
    invariant: "repairsAreWhole",
    story: inOneStack(
      declare("o1", VANISHED, { spelling: "id" }),
      { hand: "add", thing: VANISHED },
      run({ importExisting: true }),
      { hand: "delete", thing: VANISHED },
      run({ do: "repair" }),
    ),
    concerns: ({ spellings }, { invariant }) => invariant === "repairsAreWhole" && spellings.has("id"),
  },
];

/** The known fault behind a violation, if it is one. */
export function knownFault(violation: Violation, world: World): KnownFault | undefined {
  const owners = ownersOf(world, violation.identity ?? "");
  return KNOWN_FAULTS.find(({ concerns }) => concerns(owners, violation, world));
}
