import {
  keepersOf,
  type Leaving,
  type Owned,
  type Owner,
  type OwnerThat,
  ownersThat,
  removersOf,
} from "../ownership/owners";
import { type Decision, decide } from "../table/decide";
import { HELD, LEAVING, NEW, type Neighbour, type Row } from "../table/row";
import type { ResourceSession } from "./session";

type Owners = Pick<ResourceSession, "owners">;

/** Decides about an object to destroy with the same table as a plan. It knows the declarations that this run has announced. */
export function decideDelete(session: Owners, owned: Owned, leaving: Leaving): Decision {
  const takers = keepersOf(session, owned, leaving).filter(({ isYetToTake }) => isYetToTake);
  return decide(LEAVING, [
    ...neighbours("stack has part", takers),
    ...neighboursOfParts(session, owned, leaving),
  ]);
}

/** Decides about an object to destroy, without the objects of other stacks. The engine compares those itself. */
export const decideWithinStack = (session: Owners, owned: Owned, leaving: Leaving): Decision =>
  decide(LEAVING, neighboursOfParts(session, owned, leaving));

/** Returns the other declarations that may keep the object itself, or its entries of shared sets. */
function neighboursOfParts(session: Owners, owned: Owned, leaving: Leaving): readonly Neighbour[] {
  const entries = (owned.shares ?? []).filter(({ entry }) => entry !== undefined);
  const keepers = keepersOf(session, { identity: owned.identity, shares: entries }, leaving);
  const removers = entries.flatMap((share) => removersOf(session, share, leaving));
  return [...neighbours("all parts stay", keepers), ...neighbours("owner removes", removers)];
}

/** Returns neighbours with their addresses. Some hosts do not know addresses. */
const neighbours = (relation: Neighbour["relation"], owners: readonly Owner[]): readonly Neighbour[] =>
  owners.map(({ type, address = type }) => ({ relation, address }));

/** An object that one plan destroys and declares. */
export interface Overlap {
  readonly destroyed: OwnerThat<"destroy">;
  readonly declared: OwnerThat<"declare">;
}

/** The decision about one object of a plan. With an overlap, it is about both objects. */
export interface PlanDecision extends Decision {
  readonly overlap?: Overlap;
}

/**
 * Decides about a declaration. Only for hosts that plan object after object, without addresses. The
 * neighbours are the objects that the plan has destroyed so far.
 */
export function decideDeclared(
  session: Owners,
  declared: OwnerThat<"declare">,
  owned: Owned,
  facts: Partial<Pick<Row, "live" | "difference">>,
): PlanDecision {
  const destroyed = ownersThat(session, "destroy", owned).find((one) => isOverlap(one, declared));
  if (destroyed !== undefined) return decideOverlap({ destroyed, declared });
  session.owners.add(owned, declared);
  return decide({ ...(declared.object === undefined ? NEW : HELD), ...facts });
}

/** Decides about an object to destroy. Only for hosts that plan object after object, without addresses. */
export function decideDestroyed(
  session: Owners,
  destroyed: OwnerThat<"destroy">,
  owned: Owned,
): PlanDecision {
  const declared = ownersThat(session, "declare", owned).find((one) => isOverlap(destroyed, one));
  if (declared !== undefined) return decideOverlap({ destroyed, declared });
  session.owners.add(owned, destroyed);
  return decide(LEAVING);
}

/** A replacement may create the same object that it destroys. Any other pair of destroy and declaration overlaps. */
const isOverlap = ({ isReplaced, type, object }: OwnerThat<"destroy">, declared: OwnerThat<"declare">) =>
  !isReplaced || type !== declared.type || object !== declared.object;

function decideOverlap(overlap: Overlap): PlanDecision {
  const { destroyed, declared } = overlap;
  return { ...decide(...rowOf(destroyed, declared)), overlap };
}

function rowOf(
  { type, object }: OwnerThat<"destroy">,
  declared: OwnerThat<"declare">,
): readonly [Row, readonly Neighbour[]] {
  const address = declared.type;
  if (type !== declared.type) return [LEAVING, [{ relation: "some parts stay", address }]];
  // The state has the object at two addresses, and the declared address stays.
  if (object === declared.object && !declared.isImported)
    return [LEAVING, [{ relation: "same object stays", address }]];
  return [{ ...HELD, held: "elsewhere" }, []];
}
