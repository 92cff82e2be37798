import { builtinSchema } from "../../engine/builtin/builtin-schemas";
import type { ResourceState } from "../../engine/state/model";
import { createProvider } from "../../provider";
import type { Schema } from "../../provider/schema";

/** Finds the schema of a resource in a state, where the provider, or the engine itself, knows its type. */
export function schemaOf(): (resource: Pick<ResourceState, "mode" | "type">) => Schema | undefined {
  const { resources, dataSources } = createProvider().schema;
  return ({ mode, type }) =>
    (mode === "managed" ? resources : dataSources)[type] ?? builtinSchema(mode, type);
}
