import type { Value, ValueObject } from "../../engine";
import { fieldName } from "../printing/printable";
import type { Style } from "../printing/style";
import { type Block, between, SENSITIVE } from "../printing/values";
import type { ChangedOutside } from "./changed-outside";
import type { Difference, ElementDifference, Field, Mark } from "./difference";
import { renderLive } from "./live-comment";
import { renderNamed } from "./named-value";

/** Unchanged attributes that are shown because they identify the object. */
const IDENTIFYING = new Set(["id", "name"]);

const NO_SUFFIX = " -> null";

/**
 * The depth of a value: its closing bracket is at column 4 + 4 × depth, its marks two columns further right.
 */
type Depth = number;

const closing = (depth: Depth): string => " ".repeat(4 + 4 * depth);
const inside = (depth: Depth): string => " ".repeat(6 + 4 * depth);

/** How values are shown. */
interface Look {
  readonly style: Style;
  readonly isUnmarked: boolean;
  /** For a field that was changed outside. */
  readonly outside?: OutsideValues | undefined;
}

type OutsideValues = ChangedOutside extends ReadonlyMap<string, infer Values> ? Values : never;

const paintMark = (mark: Mark, { style: { green, red, yellow }, isUnmarked }: Look): string =>
  isUnmarked ? " " : { "+": green, "-": red, "~": yellow, " ": (text: string) => text }[mark](mark);

interface FieldsOptions {
  readonly depth: Depth;
  readonly style: Style;
  /** Whether a removed value ends with `-> null`: not inside an object that is removed as a whole. */
  readonly closesWithNull: boolean;
  /** The fields that were changed outside of this configuration. */
  readonly outside?: ChangedOutside;
  /** The live values that the created fields replace. */
  readonly live?: ValueObject | undefined;
  /** Whether unchanged identifying fields are shown. */
  readonly identifies?: boolean;
  /** Omits the marks, for values that are shown and not compared. Default: false. */
  readonly isUnmarked?: boolean;
}

/** The lines of fields, names aligned. Unchanged fields are counted. */
export function renderFields(fields: readonly Field[], options: FieldsOptions): string[] {
  const { depth, style, closesWithNull, outside, live, identifies = false, isUnmarked = false } = options;
  const shown = fields.filter(
    ({ name, difference }) => difference.mark !== " " || (identifies && IDENTIFYING.has(name)),
  );
  const width = Math.max(0, ...shown.map(({ name }) => fieldName(name).length));
  const lines = shown.flatMap(({ name, difference }) => {
    const { mark } = difference;
    const becomesNull = mark === "-" && closesWithNull;
    const look = { style, isUnmarked, outside: outside?.get(name) };
    const [first, ...rest] = renderValue(difference, depth + 1, look, becomesNull);
    const comment = `${outsideComment(name, difference, outside, style)}${liveComment(name, difference, live, style)}`;
    const value: Block = [`${first}${comment}`, ...rest];
    return between(
      `${inside(depth)}${paintMark(mark, { style, isUnmarked })} ${fieldName(name).padEnd(width)} = `,
      value,
    );
  });
  return [...lines, ...hiddenLine(fields.length - shown.length, "attribute", depth, style)];
}

/** Marks an attribute that was changed outside. Values of several lines are left out. */
function outsideComment(
  name: string,
  difference: Difference,
  outside: ChangedOutside | undefined,
  { yellow }: Style,
): string {
  const values = difference.mark === " " ? undefined : outside?.get(name);
  if (values === undefined) return "";
  if (difference.kind !== "leaf") return yellow(" # changed outside");
  const shown = (value: Value) => renderNamed(value, difference.names);
  return yellow(` # changed outside: applied ${shown(values.applied)}, live ${shown(values.live)}`);
}

/** The live value that a created field replaces. */
function liveComment(
  name: string,
  difference: Difference,
  live: ValueObject | undefined,
  { yellow }: Style,
): string {
  const value = live?.[name];
  if (value === undefined || difference.mark !== "+" || difference.kind === "hidden") return "";
  const names = difference.kind === "leaf" ? difference.names : undefined;
  return yellow(` # live: ${renderLive(value, names)}`);
}

function hiddenLine(count: number, noun: "attribute" | "element", depth: Depth, { dim }: Style): string[] {
  if (count === 0) return [];
  return [`${inside(depth)}  ${dim(`# (${count} unchanged ${noun}${count === 1 ? "" : "s"} hidden)`)}`];
}

/** The text right of `=`, over several lines for nested values. */
function renderValue(difference: Difference, depth: Depth, look: Look, becomesNull: boolean): Block {
  const { style } = look;
  const forces = difference.forcesReplacement ? style.red(" # forces replacement") : "";
  const end = becomesNull ? style.dim(NO_SUFFIX) : "";
  switch (difference.kind) {
    case "hidden":
      return [`${SENSITIVE}${end}${forces}`];
    case "leaf":
      return [`${renderLeaf(difference, style)}${end}${forces}`];
    case "swap": {
      const [first, ...rest] = renderValue(difference.before, depth, look, false);
      const after = between(style.yellow(" -> "), renderValue(difference.after, depth, look, false), forces);
      if (rest.length === 0) return between(first, after);
      return [first, ...rest.slice(0, -1), ...between(rest.at(-1)!, after)];
    }
    case "lines": {
      const shows = (mark: Mark) => (difference.mark === "~" ? `${paintMark(mark, look)} ` : "  ");
      const lines = difference.lines.map(({ mark, text }) => `${inside(depth)}${shows(mark)}${text}`);
      return block(`<<-EOT${forces}`, lines, `EOT${end}`, depth);
    }
    case "fields": {
      if (difference.fields.length === 0) return [`{}${end}${forces}`];
      const closesWithNull = difference.hasSchema && difference.mark === "~";
      const lines = renderFields(difference.fields, {
        depth,
        closesWithNull,
        style,
        isUnmarked: look.isUnmarked,
      });
      return block(`{${forces}`, lines, `}${end}`, depth);
    }
    case "elements": {
      if (difference.elements.length + difference.unchanged === 0) return [`[]${end}${forces}`];
      return block(`[${forces}`, renderElements(difference, depth, look), `]${end}`, depth);
    }
  }
}

const block = (first: string, lines: readonly string[], last: string, depth: Depth): Block => [
  first,
  ...lines,
  `${closing(depth)}${last}`,
];

function renderElements(
  { elements, unchanged, keyOf }: Extract<Difference, { kind: "elements" }>,
  depth: Depth,
  { outside, ...look }: Look,
): string[] {
  const whoseChange = keyOf === undefined || outside === undefined ? () => "" : elementMarks(outside, keyOf);
  return [
    ...elements.flatMap((one) => {
      const mark = whoseChange(one);
      const comment = mark === "" ? "" : look.style.yellow(mark);
      const [first, ...rest] = renderValue(one, depth + 1, look, false);
      const start = `${inside(depth)}${paintMark(one.mark, look)} `;
      if (rest.length === 0) return [`${start}${first},${comment}`];
      return between(start, [`${first}${comment}`, ...rest], ",");
    }),
    ...hiddenLine(unchanged, "element", depth, look.style),
  ];
}

/** Marks the elements of a set that somebody added or removed outside; the others are changes of the configuration. */
function elementMarks(
  { applied, live }: OutsideValues,
  keyOf: (element: Value) => string,
): (element: ElementDifference) => string {
  if (!Array.isArray(applied) || !Array.isArray(live)) return () => "";
  const [wasApplied, isLive] = [applied, live].map((elements) => new Set(elements.map(keyOf)));
  return ({ mark, key = "" }) => {
    if (mark === "-" && !wasApplied!.has(key)) return " # added outside";
    return mark === "+" && wasApplied!.has(key) && !isLive!.has(key) ? " # removed outside" : "";
  };
}

function renderLeaf(
  { mark, before, after, names }: Extract<Difference, { kind: "leaf" }>,
  { yellow }: Style,
): string {
  const named = (value: Value | undefined) => renderNamed(value, names);
  if (mark === "~") return `${named(before)}${yellow(" -> ")}${named(after)}`;
  return named(mark === "-" ? before : after);
}
