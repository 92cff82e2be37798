import { PROVIDER_NAME } from "../../src/provider";
import { importIdFormat } from "../../src/provider/operations/import-resource";
import { RESOURCES } from "../../src/provider/registry";
import { code, fence } from "./markdown";

/** How a live object is taken into the state. */
export function importSection(type: string, name: string): string[] {
  const definition = RESOURCES.find((one) => `${PROVIDER_NAME}_${one.type}` === type);
  if (definition === undefined) throw new Error(`No resource ${type} is registered.`);
  const id = definition.key === undefined ? "42" : `42:${definition.key.example}`;
  return [
    "## Import",
    `A live object is taken into the state by its id, ${code(importIdFormat(definition))}:`,
    fence("sh", `steward import ${type}.${name} ${id}`),
  ];
}
