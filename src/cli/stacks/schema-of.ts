import { builtinSchema } from "../../engine";
import { createProvider } from "../../provider";
import type { Schema } from "../../schema";
import type { ResourceState } from "../../state";

/** Finds the schema of a resource in a state, where the provider, or the engine itself, knows its type. */
export function schemaOf(): (resource: Pick<ResourceState, "mode" | "type">) => Schema | undefined {
  const { resources, dataSources } = createProvider().schema;
  return ({ mode, type }) =>
    (mode === "managed" ? resources : dataSources)[type] ?? builtinSchema(mode, type);
}
