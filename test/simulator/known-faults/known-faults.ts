import { OVERTAKEN } from "../story/lists";
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

/** Whether people change an object that the run writes too. */
const isChangedByBoth = (key: string | undefined, { story }: World): boolean =>
  story.steps.some(
    (step) =>
      "list" in step &&
      step.list.hands.some((hand) => hand.key === key) &&
      step.list.tasks.some((one) => one.key === key && /create|update|delete/.test(one.task)),
  );

export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    name: "a read that waited for a write shows what it did, although the cache was dropped and somebody changed the object since",
    invariant: "readsAreCurrent",
    story: OVERTAKEN,
    concerns: (_, { invariant, identity }, world) =>
      invariant === "readsAreCurrent" && isChangedByBoth(identity, world),
  },
];

/** The known fault behind a violation, if it is one. */
export function knownFault(violation: Violation, world: World): KnownFault | undefined {
  const owners = ownersOf(world, violation.identity ?? "");
  return KNOWN_FAULTS.find(({ concerns }) => concerns(owners, violation, world));
}
