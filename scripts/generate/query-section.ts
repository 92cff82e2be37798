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
    `${schema.description} Terraform does so from 1.14 on by \`terraform query\`, in a file whose name ends with \`.tfquery.hcl\`. ` +
      "[Queries](../terraform-query.md) shows how it writes their configuration.",
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
