import type { Attributes } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { ListResponse, StoredState } from "../protocol/protocol";
import type { Resolution } from "../references/lookups";
import { References } from "../references/references";
import { type Session, scopeOf } from "./session";
import { toState } from "./state";

/** All live objects of one type in a container, as an import would return them. */
export async function listResource(
  definition: ResourceDefinition,
  session: Session,
  within: string,
): Promise<ListResponse> {
  const references = new References(session.lookups, undefined);
  try {
    const { id: container } = await references.resolve(definition.container, within, [definition.container]);
    const found = await definition.list(scopeOf(definition, session, container));
    const objects = await Promise.all(found.map((one) => listed(definition, session, container, one)));
    return { objects, diagnostics: [] };
  } catch (problem) {
    return { objects: [], diagnostics: session.failures.toDiagnostics(problem) };
  }
}

/** The state of a listed object, as an import would return it. @throws the client's errors */
export const listed = (
  definition: ResourceDefinition,
  session: Session,
  container: number,
  found: Found<Attributes>,
): Resolution<StoredState> => {
  const identity = { container, key: definition.key?.of(found) ?? "" };
  return toState(definition, identity, found, undefined, new References(session.lookups, undefined));
};
