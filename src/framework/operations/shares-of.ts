import { NOT_CACHED } from "../collections/live-collection";
import type { ResourceDefinition } from "../definition/definition";
import { shareOf } from "../ownership/ownership";
import type { Share } from "../ownership/share-index";
import type { StoredState } from "../protocol/protocol";
import { identified, identify } from "./identify";
import { partsOf } from "./ownerships-of";
import type { Session } from "./session";

/**
 * What to compare with all other objects: its identity, and the parts of shared sets that it holds, or
 * removes when it is destroyed. Undefined if that is not known yet.
 */
export async function sharesOf(
  definition: ResourceDefinition,
  session: Session,
  object: StoredState,
  which: "has" | "takes",
): Promise<readonly Share[]> {
  const identity = await identify(definition, session, { type: definition.type, ...object });
  if (identity === undefined) return [];
  const own: Share = { place: identity };
  const parts = partsOf(definition, which);
  if (parts === undefined) return [own];
  try {
    return await identified(definition, session, object, (declared, { container }) => [
      own,
      ...parts(declared).map((part) => shareOf(part, `${definition.container} ${container}`)),
    ]);
  } catch (problem) {
    if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
    return [own];
  }
}
