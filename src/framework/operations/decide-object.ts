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

/**
 * Decides what an apply does with an object to destroy, by the same table as a plan. The decision considers all declarations that
 * the host has announced for this run.
 */
export function decideDelete(session: Owners, owned: Owned, leaving: Leaving): Decision {
  const takers = keepersOf(session, owned, leaving).filter(({ isYetToTake }) => isYetToTake);
  return decide(LEAVING, [
    ...neighbours("stack has part", takers),
    ...neighboursOfParts(session, owned, leaving),
  ]);
}

/**
 * Decides what an apply does with an object to destroy, without the objects of other stacks. The engine compares objects of other
 * stacks itself.
 */
export const decideWithinStack = (session: Owners, owned: Owned, leaving: Leaving): Decision =>
  decide(LEAVING, neighboursOfParts(session, owned, leaving));

/**
 * Returns the other declarations that affect a destroy: they keep the object or its entries of shared sets, or remove these
 * entries themselves.
 */
function neighboursOfParts(session: Owners, owned: Owned, leaving: Leaving): readonly Neighbour[] {
  const entries = (owned.shares ?? []).filter(({ entry }) => entry !== undefined);
  const keepers = keepersOf(session, { identity: owned.identity, shares: entries }, leaving);
  const removers = entries.flatMap((share) => removersOf(session, share, leaving));
  return [...neighbours("all parts stay", keepers), ...neighbours("owner removes", removers)];
}

/**
 * Returns owners in the form of the decision table. If the host does not know the address of an owner, its type is the address.
 */
const neighbours = (relation: Neighbour["relation"], owners: readonly Owner[]): readonly Neighbour[] =>
  owners.map(({ type, address = type }) => ({ relation, address }));

/** The destroy and the declaration of one object in a plan. */
export interface Overlap {
  readonly destroyed: OwnerThat<"destroy">;
  readonly declared: OwnerThat<"declare">;
}

/**
 * The decision about one object of a plan. If `overlap` is set, the decision is about both the destroy and the declaration of one
 * object.
 */
export interface PlanDecision extends Decision {
  readonly overlap?: Overlap;
}

/**
 * Decides what a plan does with a declaration, for hosts that plan one object after the other and do not know addresses. The
 * decision considers the objects that the plan has destroyed so far.
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

/**
 * Decides what a plan does with an object to destroy, for hosts that plan one object after the other and do not know addresses.
 */
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

/**
 * Returns whether a destroy and a declaration of one object conflict. They do not conflict in a replacement, because it can
 * create the same object again.
 */
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
  // The state contains the object at two addresses, and the code declares one of them.
  if (object === declared.object && !declared.isImported)
    return [LEAVING, [{ relation: "same object stays", address }]];
  return [{ ...HELD, held: "elsewhere" }, []];
}
