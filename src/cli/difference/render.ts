import type { AttributePath } from "../../diagnostics";
import {
  type Enumeration,
  hiddenPaths,
  isObject,
  isUnknown,
  type ResourceChange,
  titleOf,
  type Value,
} from "../../engine";
import { JsonNumber } from "../../json";
import { atMost, counted, oneLine, quote, SENSITIVE } from "../../text";
import { fieldName, PLAIN, type Style } from "../terminal/text";
import type { Difference, Field, Mark } from "./difference";

/** A line of text that shows a part of a difference. */
export interface Row {
  /** The level of nesting. In a plan, the mark is at column 6 + 4 × depth. */
  readonly depth: number;
  readonly mark: Mark;
  /**
   * The kind of the line, which decides the colour of the line. A line without a mark can also belong to an added or removed
   * value. `#` means a comment.
   */
  readonly tone: Mark | "#";
  /** The text of the line after its mark. */
  readonly text: string;
}

interface FieldsOptions {
  /**
   * Whether `-> null` follows a removed value. The default is true. The value is false for the fields of an object that is
   * removed as a whole.
   */
  readonly isClosedByNull?: boolean;
  /** The number of fields without changes that are not shown. The default is 0. */
  readonly unchanged?: number;
  /** Whether the lines have no marks, because the values are not compared. The default is false. */
  readonly isUnmarked?: boolean;
  readonly style?: Style;
  readonly depth?: number;
}

/** Returns the lines that show the fields of an object in a plan. The object itself is indented by four columns. */
export const renderFields = (fields: readonly Field[], options: FieldsOptions & { readonly style: Style }) =>
  rowsOf(fields, options).map(
    ({ depth, mark, text }) => `${" ".repeat(6 + 4 * depth)}${paintMark(mark, options.style)} ${text}`,
  );

const paintMark = (mark: Mark, { green, red, yellow }: Style): string =>
  ({ "+": green, "-": red, "~": yellow, " ": (text: string) => text })[mark](mark);

/** Returns the lines that show fields, with their names aligned. */
export function rowsOf(fields: readonly Field[], options: FieldsOptions = {}): Row[] {
  const { unchanged = 0, isUnmarked = false, style = PLAIN, depth = 0, isClosedByNull = true } = options;
  const rows = new Renderer(style, isUnmarked).fields(fields, unchanged, depth, {
    isClosedByNull,
    tone: " ",
  });
  const remarks = fields.flatMap(({ difference }) => difference.remarks ?? []);
  return [
    ...rows,
    ...remarks.map((text): Row => ({ depth, mark: " ", tone: "#", text: style.dim(`# (${text})`) })),
  ];
}

/** Returns the lines that show a value, without marks. */
export const unmarkedBlock = (difference: Difference): Block =>
  new Renderer(PLAIN, true).value(difference, 0, " ", false);

/** The facts about the line that contains a value. */
interface Around {
  readonly isClosedByNull: boolean;
  /** The mark of the surrounding value, if this value is added or removed as a whole. */
  readonly tone: Mark;
}

/**
 * The text of a value after `=`. The first item continues the line that the caller began, and each row is an additional line.
 * The caller can add text to the last line.
 */
type Block = readonly [first: string, ...rest: Row[]];

class Renderer {
  constructor(
    private readonly style: Style,
    private readonly isUnmarked: boolean,
  ) {}

  fields(fields: readonly Field[], unchanged: number, depth: number, around: Around): Row[] {
    const width = Math.max(0, ...fields.map(({ name }) => fieldName(name).length));
    return [
      ...fields.flatMap(({ name, difference }) => {
        const isNull = difference.mark === "-" && around.isClosedByNull;
        const block = this.value(difference, depth, around.tone, isNull);
        return this.#entry(difference, depth, around, `${fieldName(name).padEnd(width)} = `, block);
      }),
      ...this.#hidden(unchanged, "attribute", depth),
    ];
  }

  #elements(
    { elements, unchanged }: Extract<Difference, { kind: "elements" }>,
    depth: number,
    around: Around,
  ) {
    return [
      ...elements.flatMap((one) => {
        const [first, ...rest] = this.value(one, depth, around.tone, false);
        const last = rest.at(-1);
        const block: Block =
          last === undefined
            ? [`${first},`]
            : [first, ...rest.slice(0, -1), { ...last, text: `${last.text},` }];
        return this.#entry(one, depth, around, "", block);
      }),
      ...this.#hidden(unchanged, "element", depth),
    ];
  }

  /** Returns the lines of a field or an element. The first line contains the mark and the notes. */
  #entry(
    { mark: own, notes = [] }: Difference,
    depth: number,
    { tone }: Around,
    start: string,
    block: Block,
  ) {
    const mark = this.isUnmarked ? " " : own;
    const [first, ...rest] = block;
    const comments = notes.map((note) => this.style.yellow(` # ${note}`)).join("");
    const row: Row = { depth, mark, tone: mark === " " ? tone : mark, text: `${start}${first}${comments}` };
    return [row, ...rest];
  }

  #hidden(count: number, noun: "attribute" | "element", depth: number): Row[] {
    if (count === 0) return [];
    const text = this.style.dim(`# (${counted(count, `unchanged ${noun}`)} hidden)`);
    return [{ depth, mark: " ", tone: "#", text }];
  }

  /** @param depth the depth of the line on which the value begins */
  value(difference: Difference, depth: number, around: Mark, isNullAfter: boolean): Block {
    const { yellow, red, dim } = this.style;
    const { mark } = difference;
    const marked = mark === "+" || mark === "-" ? mark : around;
    const tone = this.isUnmarked ? " " : marked;
    const forces = difference.forces ? red(" # forces replacement") : "";
    const end = isNullAfter ? dim(" -> null") : "";
    const block = (first: string, rows: readonly Row[], last: string): Block => [
      `${first}${forces}`,
      ...rows,
      { depth, mark: " ", tone, text: `${last}${end}` },
    ];
    switch (difference.kind) {
      case "hidden":
        return [`${SENSITIVE}${end}${forces}`];
      case "leaf": {
        const { before, after } = difference;
        const whole = mark === "-" ? before : after;
        const text = mark === "~" ? `${before}${yellow(" -> ")}${after}` : whole;
        return [`${text}${end}${forces}`];
      }
      case "swap": {
        const [first, ...rest] = this.value(difference.before, depth, around, false);
        const [next, ...others] = this.value(difference.after, depth, around, false);
        const tail = others.length === 0 ? `${next}${forces}` : next;
        const joined = `${yellow(" -> ")}${tail}`;
        const last = others.at(-1);
        const ending =
          last === undefined ? [] : [...others.slice(0, -1), { ...last, text: `${last.text}${forces}` }];
        const middle = rest.at(-1);
        if (middle === undefined) return [`${first}${joined}`, ...ending];
        return [first, ...rest.slice(0, -1), { ...middle, text: `${middle.text}${joined}` }, ...ending];
      }
      case "lines": {
        const rows = difference.lines.map((line): Row => {
          const own = mark === "~" && !this.isUnmarked ? line.mark : " ";
          return { depth: depth + 1, mark: own, tone: own === " " ? tone : own, text: line.text };
        });
        return block("<<-EOT", rows, "EOT");
      }
      case "fields": {
        const { fields, unchanged, nulls = false } = difference;
        if (fields.length + unchanged === 0) return [`{}${end}${forces}`];
        const within = { isClosedByNull: nulls && mark === "~", tone };
        return block("{", this.fields(fields, unchanged, depth + 1, within), "}");
      }
      case "elements": {
        if (difference.elements.length + difference.unchanged === 0) return [`[]${end}${forces}`];
        return block("[", this.#elements(difference, depth + 1, { isClosedByNull: false, tone }), "]");
      }
    }
  }
}

/** Returns the names of the fields whose values must not be shown. */
export const hiddenNames = (fields: readonly Field[]): ReadonlySet<string> =>
  new Set(fields.flatMap(({ name, difference }) => (difference.kind === "hidden" ? [name] : [])));

/** Returns true if a part of the value is sensitive. Steward must then not print the whole value. */
export function hasHidden(difference: Difference): boolean {
  switch (difference.kind) {
    case "hidden":
      return true;
    case "fields":
      return difference.fields.some((field) => hasHidden(field.difference));
    case "elements":
      return difference.elements.some(hasHidden);
    case "swap":
      return hasHidden(difference.before) || hasHidden(difference.after);
    default:
      return false;
  }
}

/**
 * The maximum number of elements that a line shows. If there are more elements, the line gives only the number of the omitted
 * elements.
 */
const SHOWN = 10;

/** Returns a scalar value as plans and outputs print it. */
function renderScalar(value: Value | undefined): string {
  if (isUnknown(value)) return "(known after apply)";
  return typeof value === "string"
    ? quote(value)
    : oneLine(value instanceof JsonNumber ? String(value) : JSON.stringify(value ?? null));
}

/** Returns a scalar value with the name that the schema gives to it, such as `30 (Developer)`. */
export function renderNamed(value: Value | undefined, names: Enumeration | undefined): string {
  const title = names === undefined ? undefined : titleOf(names, value);
  return title === undefined ? renderScalar(value) : `${renderScalar(value)} (${title})`;
}

/** Returns a live value on one line, such as `false`, `30 (Developer)` or `["acme/shop", "acme/tools"]`. */
export function renderLive(value: Value, names: Enumeration | undefined): string {
  if (!Array.isArray(value)) return isObject(value) ? "{…}" : renderNamed(value, names);
  const shown = value.map((one: Value) => renderLive(one, names));
  return `[${atMost(shown, SHOWN).join(", ")}]`;
}

/** Returns a value without fields that are null, at any depth. */
export function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}

type Secretive = Pick<ResourceChange, "beforeSensitive" | "afterSensitive"> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/** Returns the paths of all values of a change that may not be shown. */
export const hiddenPathsOf = ({
  before = null,
  beforeSensitive,
  after = null,
  afterSensitive,
}: Secretive): readonly AttributePath[] => [
  ...hiddenPaths(before, beforeSensitive),
  ...hiddenPaths(after, afterSensitive),
];

/**
 * Returns the names of the attributes whose values may not be printed as a whole. The result also includes the
 * attributes of `paths`, because a difference does not show an unchanged sensitive part.
 */
export const secretNames = (
  fields: readonly Field[],
  paths: readonly AttributePath[] = [],
): ReadonlySet<string> =>
  new Set([
    ...fields.flatMap(({ name, difference }) => (hasHidden(difference) ? [name] : [])),
    ...paths.flatMap(([name]) => (name === undefined ? [] : [String(name)])),
  ]);
