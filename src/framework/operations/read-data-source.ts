import type { ValueObject } from "../../schema";
import type { DataScope, DataSourceDefinition } from "../definition/definition";
import type { DataSourceResponse } from "../protocol/protocol";
import { ReferenceNotFound, References } from "../references/references";
import type { Session } from "./session";

/** Reads a data source. A path that moved is followed with a warning. @param containers the kinds of containers */
export async function readDataSource(
  definition: DataSourceDefinition,
  session: Session,
  config: ValueObject,
  containers: readonly string[],
): Promise<DataSourceResponse> {
  const references = new References(session.lookups, undefined);
  const scope: DataScope = {
    api: session.api,
    idOf: async (kind, name) => (await references.resolve(kind, String(name), [kind])).id,
    followed: (kind, name, fullPath) => references.recordMove(kind, String(name), fullPath, [kind]),
    noteFound: (kind, object) => session.lookups.found(kind, object),
    collection: (container, collection) => session.collections.of(container, collection),
  };
  try {
    return { attributes: await definition.read(scope, config), diagnostics: references.moved };
  } catch (problem) {
    const diagnostics = session.failures.toDiagnostics(problem);
    const kind = problem instanceof ReferenceNotFound ? String(diagnostics[0]?.attribute) : "";
    if (!containers.includes(kind)) return { diagnostics };
    const refused = { kind, name: String(config[kind]), status: 404 } as const;
    return { diagnostics: diagnostics.map((one) => ({ ...one, refused })) };
  }
}
