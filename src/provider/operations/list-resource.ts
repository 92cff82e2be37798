import type { ResourceDefinition } from "../definition";
import { toDiagnostics } from "../problems";
import type { ListResponse } from "../protocol";
import { References } from "../references";
import { type Session, scopeOf } from "./session";
import { toState } from "./state";

/** Everything live of one type in a project or group, as an import would give it. */
export async function listResource(
  definition: ResourceDefinition,
  session: Session,
  within: string,
): Promise<ListResponse> {
  const references = new References(session.lookups, undefined);
  try {
    const { id: container } = await references.resolve(definition.container, within, [definition.container]);
    const found = await definition.list(scopeOf(definition, session, container));
    const objects = await Promise.all(
      found.map((one) => {
        const identity = { container, key: definition.key?.of(one) ?? "" };
        return toState(definition, identity, one, undefined, new References(session.lookups, undefined));
      }),
    );
    return { objects, diagnostics: [] };
  } catch (problem) {
    return { objects: [], diagnostics: toDiagnostics(problem) };
  }
}
