import type { ResourceDefinition } from "../../src/framework/definition/definition";
import { importIdFormat } from "../../src/framework/operations/import-resource";
import { PROVIDER_NAME } from "../../src/provider";
import { RESOURCES } from "../../src/provider/registry";
import { type IdentitySchema, wireType } from "../../src/schema";
import { code, fence, table } from "./markdown";

/** Returns the section of a page about importing live objects. */
export function importSection(type: string, name: string, identity: IdentitySchema): string[] {
  const rows = Object.entries(identity.attributes).map(([attribute, { type: kind, presence, text }]) => [
    code(attribute),
    String(wireType(kind)),
    presence === "required" ? "required" : "optional",
    text.description,
  ]);
  return [
    "## Import",
    `\`steward import\` adds a live object to the state by its id, ${code(importIdFormat(definitionOf(type)))}:`,
    fence("sh", importCommand(type, name)),
    "An `import` block can also name the object by its identity. This works in Steward's engine, and in Terraform " +
      "and OpenTofu 1.12 and later:",
    fence("hcl", importBlock(type, name)),
    table(["Attribute of the identity", "Type", "In an import", "Description"], rows),
  ];
}

function importBlock(type: string, name: string): string {
  const { attributes, container, key } = definitionOf(type);
  const example = key?.example ?? "";
  const holder = key?.attributeOf?.(example) ?? key?.attributes[0];
  const value = (attribute: string) =>
    attributes[attribute]!.type.kind === "number" ? example : JSON.stringify(example);
  const values = [`${container} = "42"`, ...(holder === undefined ? [] : [`${holder} = ${value(holder)}`])];
  return `import {\n  to       = ${type}.${name}\n  identity = { ${values.join(", ")} }\n}`;
}

/**
 * Returns the command that imports an object for the example of a type. `name` is the name of the example's resource.
 */
export function importCommand(type: string, name: string): string {
  const { key } = definitionOf(type);
  return `steward import ${type}.${name} 42${key === undefined ? "" : `:${key.example}`}`;
}

function definitionOf(type: string): ResourceDefinition {
  const definition = RESOURCES.find((one) => `${PROVIDER_NAME}_${one.type}` === type);
  if (definition === undefined) throw new Error(`No resource ${type} is registered.`);
  return definition;
}
