import { NOT_CACHED } from "../collections/live-collection";
import type { ResourceDefinition } from "../definition/definition";
import { shareOf } from "../ownership/ownership";
import type { Share } from "../ownership/share-index";
import type { OwnsRequest } from "../protocol/protocol";
import { identified } from "./identify";
import type { Session } from "./session";

/**
 * The parts of shared sets that an object owns; undefined if its type owns only itself, or if that is not
 * known yet.
 */
export async function ownedShares(
  definition: ResourceDefinition,
  session: Session,
  { attributes, private: remembered, asksNothing = false, part }: OwnsRequest,
): Promise<readonly Share[]> {
  const { container: kind } = definition;
  const claims = (part === "has" ? definition.has : undefined) ?? definition.claims;
  if (claims === undefined || !session.isConnected) return [];
  const known = { lookups: asksNothing ? session.lookups.known : session.lookups };
  try {
    return await identified(
      definition,
      known,
      { attributes, private: remembered },
      (declared, { container }) => claims(declared).map((claim) => shareOf(claim, `${kind} ${container}`)),
    );
  } catch (problem) {
    if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
    return [];
  }
}
