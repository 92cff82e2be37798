import { error } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import { isLostAnswer, isNotFound, toDiagnostics } from "../problems";
import type { ApplyResponse, StoredState } from "../protocol";
import { SENDS, stateNow } from "./attempts";
import { isGone, rightsLost } from "./container";
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

async function goneAlready(
  definition: ResourceDefinition,
  session: Session,
  identity: Identity,
  prior: StoredState,
): Promise<ApplyResponse> {
  try {
    return (await isGone(definition, session, identity))
      ? { diagnostics: [] }
      : { state: prior, diagnostics: [error(rightsLost(definition, session, identity))] };
  } catch (problem) {
    return { state: prior, diagnostics: toDiagnostics(problem) };
  }
}
