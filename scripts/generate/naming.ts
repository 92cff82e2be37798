import { toPascalCase } from "codemaker";
import { PROVIDER_NAME } from "../../src/provider";

/** The subject of a schema: the provider's configuration, a resource or a data source. */
export type Subject = "provider" | "resource" | "data source";

/**
 * Returns the name of the construct class for a type. The cdktf CLI chooses the same name. For the provider, `type` is
 * its name.
 */
export function className(subject: Subject, type: string): string {
  if (subject === "provider") return toPascalCase(`${type}_provider`);
  if (subject === "data source") return toPascalCase(`data_${type}`);
  return toPascalCase(type.slice(PROVIDER_NAME.length + 1));
}

/**
 * Returns the path of the page about a type. The path contains the subject, because a resource and a data source can
 * have the same type.
 */
export function pagePath(subject: Subject, type: string): string {
  if (subject === "provider") return "docs/reference/provider.md";
  return `docs/reference/${subject === "data source" ? "data_" : ""}${type}.md`;
}
