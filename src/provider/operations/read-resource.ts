import { type Diagnostic, warning } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import { isNotFound, toDiagnostics } from "../problems";
import type { ReadRequest, ReadResponse } from "../protocol";
import { References } from "../references";
import { type Identity, parseId, type Session, scopeOf } from "./session";
import { toState } from "./state";

/**
 * Reads an object again. Where the service answers 404, it is gone only if its project or group can still be read:
 * a token that lost its rights loses no state.
 */
export async function readResource(
  definition: ResourceDefinition,
  session: Session,
  { state, expected }: ReadRequest,
): Promise<ReadResponse> {
  const identity = parseId(String(state.attributes["id"]));
  const references = new References(session.lookups, state.private);
  try {
    const found = await readOrMissing(definition, session, identity, expected);
    if (found === "missing" && !(await isGone(definition, session, identity))) {
      return { state, diagnostics: [rightsLost(definition, identity)] };
    }
    if (found === "missing" || found === undefined) return { diagnostics: [] };
    return {
      state: await toState(definition, identity, found, state.attributes, references),
      diagnostics: [],
    };
  } catch (problem) {
    return { state, diagnostics: toDiagnostics(problem) };
  }
}

/** "missing" where the service says 404, which may be about the object or about its container. */
async function readOrMissing(
  definition: ResourceDefinition,
  session: Session,
  identity: Identity,
  expected?: number,
) {
  try {
    return await definition.read(scopeOf(session, identity.container, expected), identity.key);
  } catch (problem) {
    if (isNotFound(problem)) return "missing" as const;
    throw problem;
  }
}

const isGone = async (
  definition: ResourceDefinition,
  { lookups }: Session,
  { container }: Identity,
): Promise<boolean> =>
  (await lookups.isReadable(definition.container, container)) || (await lookups.isAdministrator());

const rightsLost = ({ container }: ResourceDefinition, identity: Identity): Diagnostic =>
  warning({
    code: "rights_lost",
    summary: "Not visible any more, kept in the state",
    detail:
      `The ${container} ${identity.container} answers 404: it is gone, or this token may no longer see it. ` +
      "Give the token its rights back; or, if it is gone for good, drop this object with `steward state rm ADDRESS`.",
  });
