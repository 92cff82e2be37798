import type { Attributes, Declared } from "../../schema";
import { NOT_CACHED } from "../collections/live-collection";
import type { ResourceDefinition } from "../definition/definition";
import { shareOf } from "../ownership/ownership";
import type { Share } from "../ownership/share-index";
import type { OwnsRequest } from "../protocol/protocol";
import { containerInPart, declaredInPart } from "./declared-in-part";
import { identified } from "./identify";
import { partsOf } from "./ownerships-of";
import type { Session } from "./session";

/**
 * The parts of shared sets that an object owns; none if its type owns only itself, or if its container is not known yet. An
 * entry whose target is not known yet differs from all others.
 */
export async function ownedShares(
  definition: ResourceDefinition,
  session: Session,
  { attributes, private: remembered, asksNothing = false, part }: OwnsRequest,
): Promise<readonly Share[]> {
  const { container: kind } = definition;
  const parts = partsOf(definition, part === "has" ? "has" : "takes");
  if (parts === undefined || !session.isConnected) return [];
  const known = { lookups: asksNothing ? session.lookups.known : session.lookups };
  try {
    return await identified(
      definition,
      known,
      { attributes, private: remembered },
      (declared, { container }) => parts(declared).map((owned) => shareOf(owned, `${kind} ${container}`)),
    );
  } catch (problem) {
    if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
    const object = { attributes, private: remembered };
    const declared = declaredInPart(definition, session, object);
    const container = containerInPart(definition, object, declared);
    if (container === undefined) return [];
    // All of a set is owned whichever entries are wanted.
    return parts(declared as Declared<Attributes>).map((owned) => shareOf(owned, `${kind} ${container}`));
  }
}
