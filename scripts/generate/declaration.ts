import { toCamelCase } from "codemaker";
import type { Value, ValueObject } from "../../src/provider/schema";
import { isObject } from "../../src/provider/schema";
import type { Example } from "./examples";
import { className, type Subject } from "./naming";

const WIDTH = 100;

/** An example as users write it in TypeScript, with its import. */
export function declarationOf(subject: Subject, type: string, { id, config }: Example): string {
  const name = className(subject, type);
  const properties = Object.entries(config).map(
    ([key, value]) => `  ${toCamelCase(key)}: ${print(value, "  ")},\n`,
  );
  const argument = properties.length === 0 ? "{}" : `{\n${properties.join("")}}`;
  return [
    `import { ${name} } from "cdktf-provider-steward";`,
    "",
    `new ${name}(this, ${JSON.stringify(id)}, ${argument});`,
  ].join("\n");
}

/** The config as constructs take it: the same with names in camelCase. */
export const toConstructConfig = (value: Value): unknown =>
  Array.isArray(value)
    ? value.map(toConstructConfig)
    : isObject(value)
      ? mapObject(value, toConstructConfig)
      : value;

const mapObject = (value: ValueObject, change: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [toCamelCase(name), change(field)]));

/** On one line where it fits. */
function print(value: Value, indent: string): string {
  const short = inline(value);
  if (!Array.isArray(value) || indent.length + short.length <= WIDTH) return short;
  const elements = value.map((element: Value) => `${indent}  ${inline(element)},\n`);
  return `[\n${elements.join("")}${indent}]`;
}

function inline(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, field]) => `${toCamelCase(name)}: ${inline(field)}`)
    .join(", ")} }`;
}
