import { PROVIDER_NAME } from "../../src/provider";
import type { ProviderSchema } from "../../src/schema";
import { attributeTables } from "./attribute-tables";
import { fence } from "./markdown";

/**
 * Returns the section about listing live objects with Terraform. Returns nothing for a type that Terraform cannot list.
 */
export function querySection({ listResources = {} }: ProviderSchema, type: string): string[] {
  const schema = listResources[type];
  if (schema === undefined) return [];
  return [
    "## Query",
    `${schema.description} The command \`terraform query\` of Terraform 1.14 and later reads these blocks from files whose ` +
      "names end with `.tfquery.hcl`. [Queries](../terraform-query.md) shows how Terraform writes the configuration of the objects.",
    fence(
      "hcl",
      `list "${type}" "all" {
  provider = ${PROVIDER_NAME}

  config {
    group             = "acme"
    include_subgroups = true
  }
}`,
    ),
    ...attributeTables("data source", schema.attributes),
  ];
}
