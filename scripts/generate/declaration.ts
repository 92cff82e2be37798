import { toCamelCase } from "codemaker";
import type { Value, ValueObject } from "../../src/schema";
import { isObject } from "../../src/schema";
import type { Example } from "./examples";
import { className, type Subject } from "./naming";

/** The line width of the formatter. */
const WIDTH = 110;

/** Returns the TypeScript code of an example, with its import. */
export const declarationOf = (subject: Subject, type: string, example: Example): string =>
  [
    `import { ${className(subject, type)} } from "cdktf-provider-steward";`,
    "",
    constructionOf(subject, type, example, ""),
  ].join("\n");

/** Returns the statement that creates the construct of an example. Each line begins with `indent`. */
export function constructionOf(
  subject: Subject,
  type: string,
  { id, config }: Example,
  indent: string,
): string {
  const inner = `${indent}  `;
  const properties = Object.entries(config).map(([name, value]) => {
    const key = `${inner}${toCamelCase(name)}: `;
    return `${key}${print(value, inner, key.length + 1)},\n`;
  });
  const argument = properties.length === 0 ? "{}" : `{\n${properties.join("")}${indent}}`;
  return `${indent}new ${className(subject, type)}(this, ${JSON.stringify(id)}, ${argument});`;
}

/** Converts a configuration of the schema to one for constructs: names become camelCase. */
export const toConstructConfig = (value: Value): unknown => {
  if (Array.isArray(value)) return value.map(toConstructConfig);
  return isObject(value) ? mapObject(value, toConstructConfig) : value;
};

const mapObject = (value: ValueObject, change: (value: Value) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [toCamelCase(name), change(field)]));

/** Prints a value on one line if it fits next to `beside` other characters, and otherwise on several lines. */
function print(value: Value, indent: string, beside: number): string {
  const short = inline(value);
  if (!Array.isArray(value) || beside + short.length <= WIDTH) return short;
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
