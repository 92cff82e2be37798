import { isObject, isUnknown, type Value } from "../../engine";
import { JsonNumber } from "../../json";
import { oneLine, SENSITIVE } from "../../text";
import { fieldName, isPlainText, quote } from "./text";

/** A scalar value, as plans and outputs print it. */
export function renderScalar(value: Value | undefined): string {
  if (isUnknown(value)) return "(known after apply)";
  return typeof value === "string"
    ? quote(value)
    : oneLine(value instanceof JsonNumber ? String(value) : JSON.stringify(value ?? null));
}

export { SENSITIVE };

export interface ValueLayout {
  /** Spaces of indentation per level. */
  readonly step: number;
  /** Spaces before the last line of the value. */
  readonly margin: number;
  /** Whether a field or element must be hidden. */
  readonly hides?: (path: readonly (string | number)[]) => boolean;
}

/** The lines of a value: the first continues a line that is already started, the last may be continued. */
export type Block = readonly [first: string, ...rest: string[]];

/** The lines of a block, with text before its first line and after its last. */
export function between(before: string, [first, ...rest]: Block, after = ""): Block {
  if (rest.length === 0) return [`${before}${first}${after}`];
  return [`${before}${first}`, ...rest.slice(0, -1), `${rest.at(-1)}${after}`];
}

/** A value without a comparison: multi-line texts as they are, names aligned. */
export function renderValue(
  value: Value,
  layout: ValueLayout,
  path: readonly (string | number)[] = [],
): Block {
  if (layout.hides?.(path)) return [SENSITIVE];
  const { step, margin } = layout;
  const deeper = { ...layout, margin: margin + step };
  const inner = " ".repeat(margin + step);
  const outer = " ".repeat(margin);
  if (typeof value === "string" && value.includes("\n") && isPlainText(value)) {
    const lines = value.replace(/\n$/, "").split("\n");
    return ["<<-EOT", ...lines.map((line) => `${inner}${line}`), `${outer}EOT`];
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return ["[]"];
    const lines = value.flatMap((one, index) =>
      between(inner, renderValue(one, deeper, [...path, index]), ","),
    );
    return ["[", ...lines, `${outer}]`];
  }
  if (isObject(value)) {
    if (Object.keys(value).length === 0) return ["{}"];
    return ["{", ...renderFieldLines(value, deeper, path), `${outer}}`];
  }
  return [renderScalar(value)];
}

/** The lines of an object's fields, indented by the layout's margin. */
export function renderFieldLines(
  object: Readonly<Record<string, Value>>,
  layout: ValueLayout,
  path: readonly (string | number)[] = [],
): string[] {
  const names = Object.keys(object).sort();
  const width = Math.max(0, ...names.map((name) => fieldName(name).length));
  return names.flatMap((name) =>
    between(
      `${" ".repeat(layout.margin)}${fieldName(name).padEnd(width)} = `,
      renderValue(object[name]!, layout, [...path, name]),
    ),
  );
}
