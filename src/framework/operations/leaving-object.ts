import type { Deletion, Holder } from "../ownership/shared-ownership";
import { type Decision, decide } from "../table/decide";
import { LEAVING, type Neighbour } from "../table/row";
import type { leavingParts } from "./declared-ownership";
import type { ResourceSession } from "./session";

type Parts = Omit<Awaited<ReturnType<typeof leavingParts>>, "own">;

/** Decides about an object to destroy with the same table as a plan. It knows the declarations that this run has announced. */
export function decideDestroy(session: ResourceSession, { shares, parts, ending }: Parts): Decision {
  const { holdings } = session;
  const takers = shares.flatMap((share) =>
    holdings.keepers(share, ending).filter(({ isYetToTake }) => isYetToTake),
  );
  return decide(LEAVING, [
    ...neighbours("stack has part", takers, ending),
    ...neighboursOfParts(session, parts, ending),
  ]);
}

/** Decides about an object to destroy without other stacks: the engine compares these. */
export const decideWithinStack = (
  session: ResourceSession,
  { parts, ending }: Omit<Parts, "shares">,
): Decision => decide(LEAVING, neighboursOfParts(session, parts, ending));

function neighboursOfParts(
  { holdings }: ResourceSession,
  parts: Parts["parts"],
  ending: Deletion,
): readonly Neighbour[] {
  const keepers = parts.flatMap((share) => holdings.keepers(share, ending));
  const owners = parts.flatMap((share) => holdings.owners(share, ending));
  return [...neighbours("all parts stay", keepers, ending), ...neighbours("owner removes", owners, ending)];
}

/** Some hosts do not know addresses. */
const neighbours = (
  relation: Neighbour["relation"],
  holders: readonly Holder[],
  { type }: Deletion,
): readonly Neighbour[] => holders.map(({ address = type }) => ({ relation, address }));
