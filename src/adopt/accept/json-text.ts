import { type Attribute, type Attributes, isObject, type Value, type ValueObject } from "../../engine";
import { declaredValue, templatesOf } from "../configuration/declarations";
import { isLeftOut } from "../model/live-settings";
import { indentAt } from "../typescript/edit";
import { isSpelledAs, type Literal, type LiteralEntry, unmatched } from "./literals";

/** The white space next to colons, commas and braces in a JSON text. */
interface Spaces {
  readonly colon: string;
  readonly comma: string;
  readonly brace: string;
  /** The indentation of one level. */
  readonly unit: string;
}

const asInSchema = (name: string): string => name;

/** Returns the white space that a JSON text uses. A property is undefined if the text contains no white space of this kind. */
function spacesIn(text: string): Partial<Spaces> {
  const plain = text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  const group = (pattern: RegExp) => pattern.exec(plain)?.[1];
  const found = {
    colon: group(/"":( *)\S/),
    comma: group(/,( *)[^\s]/),
    brace: group(/\{( *)""/),
    unit: group(/\n([\t ]+)\S/),
  };
  return Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined));
}

/** The text of a JSON file whose literals are rewritten in the layout of the file. */
export class JsonText {
  readonly #spaces: Spaces;

  constructor(private readonly source: string) {
    const found = spacesIn(source);
    const { colon = " " } = found;
    this.#spaces = { colon, comma: colon, brace: "", unit: "  ", ...found };
  }

  /**
   * Returns the text of a literal with the live value instead of its current value. Parts with equal values keep their text.
   * Attributes at their default are not added.
   */
  rewritten(literal: Literal, schema: Attribute, live: Value): string {
    const { type } = schema;
    if (isSpelledAs(literal, schema, live, asInSchema)) return this.#bytes(literal);
    if (literal.entries !== undefined && isObject(live) && "nested" in type)
      return this.#object(literal.entries, type.nested, live, literal);
    if (literal.items !== undefined && Array.isArray(live) && literal.items.length > 0 && live.length > 0)
      return this.#list(literal, literal.items, schema, live);
    return this.#printed(declaredValue(schema, live), literal);
  }

  #list(literal: Literal, items: readonly Literal[], schema: Attribute, live: readonly Value[]): string {
    const { type } = schema;
    if (type.kind === "list") return this.#printed(declaredValue(schema, live), literal);
    const { superfluous, missing } = unmatched(items, schema, live, asInSchema);
    const added = [...missing];
    const parts = items.flatMap((item) => {
      if (!superfluous.includes(item)) return [this.#bytes(item)];
      const next = added.shift();
      if (next === undefined) return [];
      return [
        "nested" in type && item.entries !== undefined && isObject(next)
          ? this.#object(item.entries, type.nested, next, item)
          : this.#element(type, next, item),
      ];
    });
    const more = added.map((one) => this.#element(type, one, items.at(-1)!));
    return this.#joined(literal, items, [...parts, ...more]);
  }

  #element(type: Attribute["type"], value: Value, like: Literal): string {
    const nested = "nested" in type && isObject(value) ? withoutDefaults(type.nested, value) : value;
    return this.#printed(templatesOf(nested), like);
  }

  #object(entries: readonly LiteralEntry[], attributes: Attributes, live: ValueObject, of: Literal): string {
    const known = new Set(entries.map(({ key }) => key));
    const parts = entries.flatMap(({ key, start, value }) => {
      const attribute = attributes[key];
      const one = live[key] ?? null;
      if (attribute === undefined || one === null) return [];
      return [`${this.source.slice(start, value.start)}${this.rewritten(value, attribute, one)}`];
    });
    const { colon } = this.#spacesOf(of);
    const more = Object.entries(withoutDefaults(attributes, live))
      .filter(([name]) => !known.has(name))
      .map(
        ([name, value]) => `${JSON.stringify(name)}:${colon}${this.#printed(templatesOf(value), of, true)}`,
      );
    if (entries.length === 0) return this.#printed(templatesOf(withoutDefaults(attributes, live)), of);
    return this.#joined(of, entries, [...parts, ...more]);
  }

  /** Returns the text of a list or object: the brackets of the source, with the new parts between them. */
  #joined(of: Literal, old: readonly Pick<Literal, "start" | "end">[], parts: readonly string[]): string {
    const [first, second] = old;
    const opening = this.source.slice(of.start, first!.start);
    const isOnLines = opening.includes("\n");
    const added = isOnLines ? `,${opening.slice(1)}` : `,${this.#spacesOf(of).comma}`;
    const separator = second === undefined ? added : this.source.slice(first!.end, second.start);
    return `${opening}${parts.join(separator)}${this.source.slice(old.at(-1)!.end, of.end)}`;
  }

  /** Prints a value in the layout of a literal: on several lines if the source prints that literal on several lines. */
  #printed(value: Value, like: Literal, isInline = false): string {
    const spaces = this.#spacesOf(like);
    if (isInline || !this.#bytes(like).includes("\n")) return inline(value, spaces);
    const indent = indentAt(this.source, like.start);
    return JSON.stringify(value, undefined, spaces.unit).replaceAll("\n", `\n${indent}`);
  }

  /**
   * Returns the white space that a literal uses. If the literal contains no white space of a kind, the white space in the file
   * is used.
   */
  #spacesOf(literal: Literal): Spaces {
    return { ...this.#spaces, ...spacesIn(this.#bytes(literal)), unit: this.#spaces.unit };
  }

  #bytes({ start, end }: Pick<Literal, "start" | "end">): string {
    return this.source.slice(start, end);
  }
}

function inline(value: Value, spaces: Spaces): string {
  const { colon, comma, brace } = spaces;
  if (Array.isArray(value))
    return `[${(value as readonly Value[]).map((one) => inline(one, spaces)).join(`,${comma}`)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${colon}${inline(one, spaces)}`,
  );
  return entries.length === 0 ? "{}" : `{${brace}${entries.join(`,${comma}`)}${brace}}`;
}

const withoutDefaults = (attributes: Attributes, live: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(live).filter(
      ([name, value]) => attributes[name] !== undefined && !isLeftOut(name, attributes[name], value, []),
    ),
  );
