import type { Attribute, Value } from "../../engine";
import { parseJson } from "../../json";
import { declaredValue, hclText } from "../configuration/declarations";
import { applyEdits, type Edit, indentAt, removed } from "../typescript/edit";
import { parseExpression } from "../typescript/source-tree";
import { JsonText } from "./json-text";
import {
  isSpelledAs,
  itemEdits,
  type Left,
  type Literal,
  type LiteralEntry,
  literalOf,
  type OpenEntry,
  unmatched,
} from "./literals";
import type { AcceptedValue } from "./typescript-source";

const SPACE = /(?:[\s]|#.*|\/\/.*|\/\*[\s\S]*?\*\/)*/y;
const BLANK = /(?:[\t ]|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const HEREDOC = /<<-?(\w+)\n[\s\S]*?\n[\t ]*\1(?=\n|$)/y;
const SCALAR = /-?\d+(?:\.\d+)?(?![\w.])|(?:true|false|null)(?![\w.([])/y;
const KEY = /[A-Za-z_][\w-]*/y;

/** Returns the attributes of a resource block in HCL, without nested blocks; undefined if `source` does not contain the block. */
function hclAttributes(source: string, type: string, name: string): readonly OpenEntry[] | undefined {
  const head = new RegExp(`^[\\t ]*resource[\\t ]+"${type}"[\\t ]+"${name}"[\\t ]*\\{`, "m").exec(source);
  return head === null ? undefined : new Reader(source).attributes(head.index + head[0].length);
}

class Reader {
  constructor(private readonly source: string) {}

  attributes(from: number): readonly OpenEntry[] {
    const found: OpenEntry[] = [];
    let at = this.#skip(SPACE, from);
    while (at < this.source.length && this.source[at] !== "}") {
      const end = this.#skip(KEY, at);
      const after = this.#skip(BLANK, end);
      if (end > at && this.source[after] === "=" && this.source[after + 1] !== "=") {
        const start = this.#skip(BLANK, after + 1);
        const read = this.#literal(start);
        const last = read === undefined ? undefined : this.#skip(BLANK, read.end);
        // A literal before an operator is not a whole value, because the operator continues the expression.
        const isWhole = last !== undefined && /^(?:$|[\r\n}#]|\/\/)/.test(this.source.slice(last, last + 2));
        const value = isWhole ? read : undefined;
        const stop = value?.end ?? this.#pastExpression(start);
        found.push({ key: this.source.slice(at, end), start: at, end: stop, value });
        at = this.#skip(SPACE, stop);
      } else at = this.#skip(SPACE, this.#pastExpression(at));
    }
    return found;
  }

  #literal(start: number): Literal | undefined {
    const { [start]: first } = this.source;
    if (first === '"') {
      const end = this.#skip(STRING, start);
      const text = this.source.slice(start + 1, end - 1);
      return end === start || /(?<![$%])[$%]\{/.test(text)
        ? undefined
        : { start, end, scalar: unescaped(text) };
    }
    if (first === "[" || first === "{") return this.#collection(start, first);
    const end = this.#skip(SCALAR, start);
    return end === start ? undefined : { start, end, scalar: JSON.parse(this.source.slice(start, end)) };
  }

  #collection(start: number, open: string): Literal | undefined {
    const items: Literal[] = [];
    const entries: LiteralEntry[] = [];
    let at = this.#skip(SPACE, start + 1);
    while (this.source[at] !== (open === "[" ? "]" : "}")) {
      let key: { readonly text: string; readonly start: number } | undefined;
      if (open === "{") {
        const end = this.source[at] === '"' ? this.#skip(STRING, at) : this.#skip(KEY, at);
        const sign = this.#skip(BLANK, end);
        if (end === at || !/[=:]/.test(this.source[sign] ?? "")) return undefined;
        key = { text: this.source.slice(at, end).replace(/^"|"$/g, ""), start: at };
        at = this.#skip(SPACE, sign + 1);
      }
      const value = this.#literal(at);
      if (value === undefined) return undefined;
      if (key === undefined) items.push(value);
      else entries.push({ key: key.text, start: key.start, end: value.end, value });
      const next = this.#skip(SPACE, value.end);
      if (this.source[next] === ",") at = this.#skip(SPACE, next + 1);
      else if (this.source[next] === (open === "[" ? "]" : "}") || (open === "{" && next > value.end))
        at = next;
      else return undefined;
    }
    return open === "[" ? { start, end: at + 1, items } : { start, end: at + 1, entries };
  }

  /**
   * Returns the position where an expression ends: the end of the line on which its brackets are closed, or an outer closing
   * bracket.
   */
  #pastExpression(from: number): number {
    let depth = 0;
    for (let at = from; at < this.source.length; at++) {
      const character = this.source[at]!;
      const past = Math.max(this.#skip(STRING, at), this.#skip(HEREDOC, at));
      if (past > at) at = past - 1;
      else if (character === "#" || this.source.startsWith("//", at)) at = this.#lineEnd(at) - 1;
      else if (this.source.startsWith("/*", at)) at = this.source.indexOf("*/", at) + 1 || this.source.length;
      else if ("[{(".includes(character)) depth++;
      else if ("]})".includes(character) && --depth < 0) return at;
      else if (character === "\n" && depth === 0) return at;
    }
    return this.source.length;
  }

  #lineEnd(at: number): number {
    const end = this.source.indexOf("\n", at);
    return end < 0 ? this.source.length : end;
  }

  #skip(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.source) ? pattern.lastIndex : at;
  }
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|U([\da-f]{8})|(.))/gi, (_, short, long, one: string) => {
    if (short ?? long) return String.fromCodePoint(Number.parseInt(short ?? long, 16));
    return { n: "\n", r: "\r", t: "\t" }[one] ?? one;
  });

/** Parses a JSON text as a literal with positions. @throws JsonSyntaxError */
function jsonLiteral(source: string): Literal {
  parseJson(source);
  // Valid JSON is also an expression that consists of literals.
  return literalOf(parseExpression(source))!;
}

const asInSchema = (name: string): string => name;

type ConfigurationValue = Pick<AcceptedValue, "attribute" | "schema" | "declared" | "live"> & {
  readonly type: string;
  /** The name of the resource. */
  readonly name: string;
};

/** A file of a configuration in HCL or JSON, into which live values are written. */
export class ConfigurationSource {
  readonly #isJson: boolean;

  constructor(
    private source: string,
    file: string,
  ) {
    this.#isJson = file.endsWith(".json");
  }

  get text(): string {
    return this.source;
  }

  /** Returns whether the file declares a resource. */
  isDeclared(type: string, name: string): boolean {
    return this.#attributesOf(type, name) !== undefined;
  }

  accept({ type, name, attribute, schema, declared, live }: ConfigurationValue): Left | undefined {
    const attributes = this.#attributesOf(type, name) ?? [];
    if (attributes.some(({ key }) => key === "for_each" || key === "count"))
      return "it declares several objects";
    const entry = attributes.find(({ key }) => key === attribute);
    if (entry === undefined) return `${attribute} is not written in the file`;
    const { value } = entry;
    if (value === undefined) return `${attribute} is not a literal value`;
    if (!isSpelledAs(value, schema, declared, asInSchema)) return `${attribute} is overridden elsewhere`;
    this.source = applyEdits(
      this.source,
      live === null ? [this.#without(entry)] : this.#edits(value, schema, live),
    );
    return undefined;
  }

  #attributesOf(type: string, name: string): readonly OpenEntry[] | undefined {
    if (!this.#isJson) return hclAttributes(this.source, type, name);
    const root = jsonLiteral(this.source);
    return [type, name].reduce<Literal | undefined>(entryOf, entryOf(root, "resource"))?.entries;
  }

  #without({ start, end }: Pick<OpenEntry, "start" | "end">): Edit {
    const edit = removed(this.source, { start, end });
    const isLast = this.#isJson && !/^\s*,/.test(this.source.slice(end));
    const ahead = isLast ? /,\s*$/.exec(this.source.slice(0, start)) : null;
    return ahead === null ? edit : { start: start - ahead[0].length, end, text: "" };
  }

  /** Returns the edits that replace a literal by the live value. List items that the live value also contains keep their text. */
  #edits(value: Literal, schema: Attribute, live: Value): Edit[] {
    const { start, end } = value;
    if (this.#isJson) return [{ start, end, text: new JsonText(this.source).rewritten(value, schema, live) }];
    const whole = [{ start, end, text: this.#printed(declaredValue(schema, live), value) }];
    if (value.items === undefined || !Array.isArray(live) || value.items.length === 0) return whole;
    const { superfluous, missing } = unmatched(value.items, schema, live, asInSchema);
    if (superfluous.length === value.items.length) return whole;
    const added = declaredValue(schema, missing) as readonly Value[];
    return itemEdits(this.source, value.items, superfluous, added, hclText);
  }

  /** Prints a value as HCL. Each text in the value is already a template of Terraform's language. */
  #printed(value: Value, { start }: Literal): string {
    const indent = indentAt(this.source, start);
    return Array.isArray(value) && value.length > 1
      ? `[\n${value.map((one: Value) => `${indent}  ${hclText(one)},\n`).join("")}${indent}]`
      : hclText(value);
  }
}

/** Returns the value of a key in an object. In Terraform's JSON syntax, a list with one object can replace this object. */
function entryOf(literal: Literal | undefined, key: string): Literal | undefined {
  const found = literal?.entries?.find((entry) => entry.key === key)?.value;
  return found?.items?.length === 1 ? found.items[0] : found;
}
