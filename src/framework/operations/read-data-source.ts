import type { ValueObject } from "../../schema";
import type { DataScope, DataSourceDefinition } from "../definition/definition";
import type { DataSourceResponse } from "../protocol/protocol";
import { References } from "../references/references";
import type { Session } from "./session";

/** Reads a data source. A path that moved is followed with a warning. */
export async function readDataSource(
  definition: DataSourceDefinition,
  session: Session,
  config: ValueObject,
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
    return { diagnostics: session.failures.toDiagnostics(problem) };
  }
}
