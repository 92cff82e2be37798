import { hasErrors } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import { isLostAnswer, isNotFound, toDiagnostics } from "../problems";
import type { ApplyResponse, StoredState } from "../protocol";
import { SENDS, stateNow } from "./attempts";
import { archivedRefusal, whyUnseen } from "./container";
import { writeProblems } from "./refusals";
import { type Identity, identityOf, referencesOf, type Session, scopeOf } from "./session";

/** Deletes one object. What is gone already is a success; where it can't be told whether it is, the state is kept. */
export async function deleteObject(
  definition: ResourceDefinition,
  session: Session,
  prior: StoredState,
): Promise<ApplyResponse> {
  const identity = identityOf(prior);
  for (let sent = 1; ; sent++) {
    try {
      const scope = scopeOf(definition, session, identity.container);
      return { diagnostics: (await definition.delete?.(scope, identity.key, prior.attributes)) ?? [] };
    } catch (problem) {
      session.collections.drop(identity.container);
      if (isNotFound(problem)) return goneAlready(definition, session, identity, prior);
      if (isLostAnswer(problem) && sent < SENDS) continue;
      const references = referencesOf(definition, session, prior);
      return {
        state: await stateNow({ definition, session, references }, identity, prior.attributes, prior),
        diagnostics: await writeProblems(definition, session, identity.container, problem),
      };
    }
  }
}

/** After a 404: whether the object is gone, or whether that can't be told. */
async function goneAlready(
  definition: ResourceDefinition,
  session: Session,
  identity: Identity,
  prior: StoredState,
): Promise<ApplyResponse> {
  try {
    return await lookForLeft(definition, session, identity, prior);
  } catch (problem) {
    return { state: prior, diagnostics: toDiagnostics(problem) };
  }
}

async function lookForLeft(
  definition: ResourceDefinition,
  session: Session,
  identity: Identity,
  prior: StoredState,
): Promise<ApplyResponse> {
  try {
    await definition.read(scopeOf(definition, session, identity.container), identity.key, prior.attributes);
  } catch (problem) {
    if (!isNotFound(problem)) throw problem;
    const unseen = await whyUnseen(definition, session, identity, prior);
    const isKept = unseen.state !== undefined && !hasErrors(unseen.diagnostics);
    return isKept
      ? { state: prior, diagnostics: [archivedRefusal(definition.container, identity.container)] }
      : unseen;
  }
  // What could still be read was there for a moment after the service had said otherwise.
  return { diagnostics: [] };
}
