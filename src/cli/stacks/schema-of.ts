import { findSchema, type ResourceState, type Schema } from "../../engine";
import { createProvider } from "../../provider";

/** Returns the schema of a resource in a state, if the provider or the engine knows its type. */
export function schemaOf(): (resource: Pick<ResourceState, "mode" | "type">) => Schema | undefined {
  const provider = createProvider();
  return (resource) => findSchema({ [provider.schema.source]: provider }, resource);
}
