import {
  elementsOf,
  entriesOf,
  formatNum,
  isKnown,
  isNull,
  numOf,
  quote,
  type Type,
  textOf,
  truthOf,
  typeName,
  type Value,
} from "../../../src/language/values";

/** Shows a value as `terraform console` does, so that both can be compared as text. */
export function formatAsConsole(value: Value, indent = 0): string {
  if (!isKnown(value)) return "(known after apply)";
  if (value.sensitive) return "(sensitive value)";
  if (isNull(value)) return formatNull(value.type);
  switch (value.type.kind) {
    case "string":
      return formatText(textOf(value), indent);
    case "number":
      return formatNum(numOf(value));
    case "bool":
      return String(truthOf(value));
    case "object":
      return formatEntries(value, indent);
    case "map":
      return `tomap(${formatEntries(value, indent)})`;
    case "tuple":
      return formatElements(value, indent);
    default:
      return `to${value.type.kind}(${formatElements(value, indent)})`;
  }
}

function formatNull(type: Type): string {
  switch (type.kind) {
    case "dynamic":
      return "null";
    case "string":
    case "number":
    case "bool":
      return `to${type.kind}(null)`;
    case "list":
    case "set":
    case "map":
      return `to${type.kind}(null) /* of ${typeName(type.element)} */`;
    default:
      return `null /* ${typeName(type)} */`;
  }
}

function formatText(text: string, indent: number): string {
  const lines = text.split("\n");
  if (lines.length < 2) return quote(text);
  let delimiter = "EOT";
  while (lines.some((line) => line.trim() === delimiter)) delimiter += "_";
  const margin = `\n${" ".repeat(indent)}`;
  return [`${indent > 0 ? "<<-" : "<<"}${delimiter}`, ...lines, delimiter].join(margin);
}

function block(open: string, lines: readonly string[], close: string, indent: number): string {
  if (lines.length === 0) return open + close;
  const margin = `\n${" ".repeat(indent + 2)}`;
  return `${open}${lines.map((line) => margin + line).join("")}\n${" ".repeat(indent)}${close}`;
}

const formatEntries = (value: Value, indent: number): string =>
  block(
    "{",
    [...entriesOf(value)].map(
      ([key, one]) => `${formatText(key, indent + 2)} = ${formatAsConsole(one, indent + 2)}`,
    ),
    "}",
    indent,
  );

const formatElements = (value: Value, indent: number): string =>
  block(
    "[",
    elementsOf(value).map((one) => `${formatAsConsole(one, indent + 2)},`),
    "]",
    indent,
  );
