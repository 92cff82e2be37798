import { NOT_CACHED } from "../collections/live-collection";
import type { ResourceDefinition } from "../definition/definition";
import { shareOf } from "../ownership/ownership";
import type { Share } from "../ownership/share-index";
import type { IdentifyRequest } from "../protocol/protocol";
import { identified } from "./identify";
import type { Session } from "./session";

/** What an object owns of sets that others may own too; nothing where its type owns itself alone, or it isn't known yet. */
export async function ownedShares(
  definition: ResourceDefinition,
  session: Session,
  { attributes, private: remembered, asksNothing = false }: IdentifyRequest,
): Promise<readonly Share[]> {
  const { claims, container: kind } = definition;
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
