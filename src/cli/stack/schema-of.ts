import { TERRAFORM_DATA } from "../../engine/builtin/terraform-data";
import type { ResourceState } from "../../engine/state/model";
import { createProvider } from "../../provider";
import type { Schema } from "../../provider/schema";

/** Finds the schema of a resource in a state, where the provider, or the engine itself, knows its type. */
export function schemaOf(): (resource: Pick<ResourceState, "mode" | "type">) => Schema | undefined {
  const { resources, dataSources } = createProvider().schema;
  const managed = { terraform_data: TERRAFORM_DATA, ...resources };
  return ({ mode, type }) => (mode === "managed" ? (managed as typeof resources) : dataSources)[type];
}
