import { type Diagnostic, warning } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import { isNotFound, toDiagnostics } from "../problems";
import type { ReadRequest, ReadResponse, StoredState } from "../protocol";
import { attributeEntries, sameValue } from "../schema";
import { isArchived, isGone, rightsLost } from "./container";
import { located } from "./located";
import { type Identity, identityOf, referencesOf, type Session, scopeOf } from "./session";
import { toState } from "./state";

/**
 * Reads an object again. Where the service answers 404, it is gone only if its project or group can still be read:
 * a token that lost its rights loses no state. In an archived project nothing can be mended, so what differs there
 * stays as the state has it, with a note.
 */
export async function readResource(
  definition: ResourceDefinition,
  session: Session,
  { state: stored }: ReadRequest,
): Promise<ReadResponse> {
  try {
    const state = await located(definition, session, stored);
    const identity = identityOf(state);
    const found = await readOrMissing(definition, session, identity, state);
    if (found === "missing" && !(await isGone(definition, session, identity))) {
      return { state, diagnostics: [warning(rightsLost(definition, session, identity))] };
    }
    const live =
      found === "missing" || found === undefined
        ? undefined
        : await toState(
            definition,
            identity,
            found,
            state.attributes,
            referencesOf(definition, session, state),
          );
    if (differs(definition, state, live) && (await isArchived(definition, session, identity.container))) {
      return { state, diagnostics: [passedOver(identity)] };
    }
    return { ...(live && { state: live }), diagnostics: [] };
  } catch (problem) {
    return { state: stored, diagnostics: toDiagnostics(problem) };
  }
}

/** "missing" where the service says 404, which may be about the object or about its container. */
async function readOrMissing(
  definition: ResourceDefinition,
  session: Session,
  identity: Identity,
  { attributes }: StoredState,
) {
  try {
    return await definition.read(scopeOf(definition, session, identity.container), identity.key, attributes);
  } catch (problem) {
    if (isNotFound(problem)) return "missing" as const;
    throw problem;
  }
}

/** Whether somebody would call it drift; computed values move by themselves. */
const differs = (
  { attributes }: ResourceDefinition,
  state: StoredState,
  live: StoredState | undefined,
): boolean =>
  live === undefined ||
  attributeEntries(attributes).some(
    ([name, { presence }]) =>
      presence !== "computed" && !sameValue(state.attributes[name] ?? null, live.attributes[name] ?? null),
  );

const passedOver = ({ container }: Identity): Diagnostic =>
  warning({
    code: "archived_project",
    summary: "The project is archived, and what differs there is passed over",
    detail:
      `The project ${container} is archived: this object differs from what the state holds, and can't be changed. ` +
      "Unarchive the project to mend it, or take this declaration out of the code.",
  });
