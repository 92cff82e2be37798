import type { ResourceDefinition } from "../../src/framework/definition/definition";
import { importIdFormat } from "../../src/framework/operations/import-resource";
import { PROVIDER_NAME } from "../../src/provider";
import { RESOURCES } from "../../src/provider/registry";
import { code, fence } from "./markdown";

/** How a live object is taken into the state. */
export const importSection = (type: string, name: string): string[] => [
  "## Import",
  `A live object is taken into the state by its id, ${code(importIdFormat(definitionOf(type)))}:`,
  fence("sh", importCommand(type, name)),
];

/** The command for the example of a type, which is declared under this name. */
export function importCommand(type: string, name: string): string {
  const { key } = definitionOf(type);
  return `steward import ${type}.${name} 42${key === undefined ? "" : `:${key.example}`}`;
}

function definitionOf(type: string): ResourceDefinition {
  const definition = RESOURCES.find((one) => `${PROVIDER_NAME}_${one.type}` === type);
  if (definition === undefined) throw new Error(`No resource ${type} is registered.`);
  return definition;
}
