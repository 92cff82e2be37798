import type { Attribute, Value } from "../../engine";
import { parseJson } from "../../json";
import { quotedTemplate } from "../configuration/text";
import { appended, applyEdits, indentAt, removed } from "../typescript/edit";
import type { Edit } from "../typescript/merge-imports";
import { terraformText } from "../typescript/text";
import { hclAttributes } from "./hcl-literals";
import { jsonLiteral } from "./json-literals";
import { type Left, type Literal, type OpenEntry, type Spelling, spells, unmatched } from "./literals";
import type { AcceptedValue } from "./typescript-source";

const SCHEMA_NAMES: Spelling = { nameOf: (name) => name, textOf: terraformText };

type ConfigurationValue = Pick<AcceptedValue, "attribute" | "schema" | "declared" | "live"> & {
  readonly type: string;
  /** The name of the resource. */
  readonly name: string;
};

/** A file of a configuration in HCL or JSON, into which live values are written. */
export class ConfigurationSource {
  #source: string;
  readonly #isJson: boolean;

  constructor(source: string, file: string) {
    this.#source = source;
    this.#isJson = file.endsWith(".json");
  }

  get text(): string {
    return this.#source;
  }

  /** Whether the file declares a resource. */
  declares(type: string, name: string): boolean {
    return this.#attributesOf(type, name) !== undefined;
  }

  accept({ type, name, attribute, schema, declared, live }: ConfigurationValue): Left | undefined {
    const attributes = this.#attributesOf(type, name) ?? [];
    if (attributes.some(({ key }) => key === "for_each" || key === "count"))
      return "it stands for several objects";
    const entry = attributes.find(({ key }) => key === attribute);
    if (entry === undefined) return `the file does not spell ${attribute}`;
    const { value } = entry;
    if (value === undefined) return `${attribute} is computed, or comes from elsewhere`;
    if (!spells(value, schema, declared, SCHEMA_NAMES))
      return `${attribute} is not what is declared in the end: something else changes it`;
    this.#source = applyEdits(
      this.#source,
      live === null ? [this.#without(entry)] : this.#edits(value, schema, live),
    );
    return undefined;
  }

  #attributesOf(type: string, name: string): readonly OpenEntry[] | undefined {
    if (!this.#isJson) return hclAttributes(this.#source, type, name);
    const root = jsonLiteral(this.#source);
    return [type, name].reduce<Literal | undefined>(entryOf, entryOf(root, "resource"))?.entries;
  }

  #without({ start, end }: Pick<OpenEntry, "start" | "end">): Edit {
    const edit = removed(this.#source, { start, end });
    const isLast = this.#isJson && !/^\s*,/.test(this.#source.slice(end));
    const ahead = isLast ? /,\s*$/.exec(this.#source.slice(0, start)) : null;
    return ahead === null ? edit : { start: start - ahead[0].length, end, text: "" };
  }

  /** The items of a list that stay keep their bytes; in JSON, whose commas stand on other lines, a list is one value. */
  #edits(value: Literal, schema: Attribute, live: Value): Edit[] {
    const whole = [{ start: value.start, end: value.end, text: this.#printed(live, value) }];
    if (this.#isJson || value.items === undefined || !Array.isArray(live) || value.items.length === 0)
      return whole;
    const { superfluous, missing } = unmatched(value.items, schema, live, SCHEMA_NAMES);
    if (superfluous.length === value.items.length) return whole;
    const replaced = superfluous.slice(0, missing.length);
    const more = missing.slice(replaced.length);
    return [
      ...replaced.map(({ start, end }, at) => ({ start, end, text: valueText(missing[at]!) })),
      ...superfluous.slice(replaced.length).map((item) => removed(this.#source, item)),
      ...(more.length === 0
        ? []
        : [
            appended(
              this.#source,
              value.items.at(-1)!,
              more.map((one) => () => valueText(one)),
            ),
          ]),
    ];
  }

  #printed(live: Value, { start, end }: Literal): string {
    const indent = indentAt(this.#source, start);
    if (!this.#isJson)
      return Array.isArray(live) && live.length > 1
        ? `[\n${live.map((one: Value) => `${indent}  ${valueText(one)},\n`).join("")}${indent}]`
        : valueText(live);
    const isInline = !this.#source.slice(start, end).includes("\n") && !Array.isArray(live);
    return JSON.stringify(withoutNulls(live), undefined, isInline ? undefined : 2).replaceAll(
      "\n",
      `\n${indent}`,
    );
  }
}

/** JSON may hold a block as the only element of a list. */
function entryOf(literal: Literal | undefined, key: string): Literal | undefined {
  const found = literal?.entries?.find((entry) => entry.key === key)?.value;
  return found?.items?.length === 1 ? found.items[0] : found;
}

const withoutNulls = (value: Value): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value === "string") return terraformText(value);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return entries.length === 0
    ? parseJson(String(value))
    : Object.fromEntries(entries.map(([key, one]) => [key, withoutNulls(one)]));
};

function valueText(value: Value): string {
  if (typeof value === "string") return quotedTemplate(terraformText(value));
  if (Array.isArray(value)) return `[${value.map((one: Value) => valueText(one)).join(", ")}]`;
  const plain = withoutNulls(value);
  if (typeof plain !== "object" || plain === null) return String(plain);
  const parts = Object.entries(value as object).filter(([, one]) => one !== null);
  return `{ ${parts.map(([key, one]) => `${key} = ${valueText(one as Value)}`).join(", ")} }`;
}
