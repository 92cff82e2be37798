import { formatNum, quote, type Type, typeName, type Value } from "../../../src/language/values";

/** Formats a value as `terraform console` does, so that both outputs can be compared as texts. */
export function formatAsConsole(value: Value, indent = 0): string {
  if (!value.isKnown) return "(known after apply)";
  if (value.isSensitive) return "(sensitive value)";
  if (value.isNull) return formatNull(value.type);
  switch (value.type.kind) {
    case "string":
      return formatText(value.text, indent);
    case "number":
      return formatNum(value.num);
    case "bool":
      return String(value.isTrue);
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
    [...value.entries].map(
      ([key, one]) => `${formatText(key, indent + 2)} = ${formatAsConsole(one, indent + 2)}`,
    ),
    "}",
    indent,
  );

const formatElements = (value: Value, indent: number): string =>
  block(
    "[",
    value.elements.map((one) => `${formatAsConsole(one, indent + 2)},`),
    "]",
    indent,
  );
