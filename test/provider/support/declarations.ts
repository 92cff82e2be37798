import * as fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import type { Provider } from "../../../src/framework/protocol/protocol";
import type { Attribute, Attributes, AttributeType, Value, ValueObject } from "../../../src/schema";
import { isExempt, SAMPLES } from "../samples";
import { GROUP, PROJECT, USER } from "./world";

// Declarations generated from the schema: from types, presences, named values and checks. This file also describes
// the world of the tests, for any resource.

/** The targets of references in the world: each by its path or its id. */
const NAMED = {
  project: [
    ["acme/tools", PROJECT.tools],
    ["acme/runner", PROJECT.runner],
    ["acme/docs", PROJECT.docs],
  ],
  group: [
    ["acme/platform", GROUP.platform],
    ["acme/approvers", GROUP.approvers],
  ],
  user: [
    ["devon", USER.devon],
    ["maya", USER.maya],
    ["oskar", USER.oskar],
  ],
} as const;

/** The containers of the objects of the tests. */
const WITHIN = {
  project: ["acme/web", PROJECT.web],
  group: ["acme/platform", GROUP.platform],
} as const;

/** The caller is a Maintainer of projects, and cannot give a higher level. */
const HIGHEST_LEVEL = 40;

const WORDS = /^[a-z][a-z0-9-]{0,11}$/;
const word = fc.stringMatching(WORDS);

/** Texts of all shapes: the check of an attribute filters them. */
const SHAPES: readonly fc.Arbitrary<string>[] = [
  word,
  fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example`),
  fc.tuple(word, word).map((parts) => `${parts.join("/")}*`),
  fc
    .tuple(
      fc.integer({ min: 2060, max: 2099 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
    )
    .map(([year, ...rest]) => [year, ...rest.map((part) => String(part).padStart(2, "0"))].join("-")),
  fc.constantFrom("review/ä b", "100%", "a:b:c"),
];

const spelled = (names: readonly (readonly [string, number])[]): fc.Arbitrary<string> =>
  fc.constantFrom(...names).chain(([path, id]) => fc.constantFrom(path, String(id)));

/** Compares two spellings of one object as equal. */
function meaningOf(value: Value): Value {
  const all = Object.values(NAMED).flat();
  return all.find(([path, id]) => path === value || String(id) === value)?.[0] ?? value;
}

const takes = ({ text }: Attribute, value: unknown): boolean => text.check?.(value) === undefined;

/** A known value of an attribute. */
function knownValue(attribute: Attribute): fc.Arbitrary<Value> {
  const { type, text } = attribute;
  if (text.values !== undefined) {
    const values = text.values.members.map(({ value }) => value as string | number);
    const allowed = values.filter((value) => typeof value === "string" || value <= HIGHEST_LEVEL);
    return fc.constantFrom(...allowed);
  }
  const made = valueOfType(type, text.checkElement);
  return made.filter((value) => takes(attribute, value));
}

function valueOfType(
  type: AttributeType,
  checkElement: Attribute["text"]["checkElement"],
): fc.Arbitrary<Value> {
  switch (type.kind) {
    case "bool":
      return fc.boolean();
    case "number":
      return fc.integer({ min: 0, max: 5 });
    case "string":
      return fc.oneof(...SHAPES);
    case "reference":
      return spelled(NAMED[type.to as keyof typeof NAMED]);
    default:
      return fc.uniqueArray(
        elementOf(type).filter((element) => checkElement?.(element) === undefined),
        {
          maxLength: 4,
          selector: (element) => whatItNames(type, element),
        },
      );
  }
}

function elementOf(type: AttributeType): fc.Arbitrary<Value> {
  if ("nested" in type) {
    const fields: Record<string, fc.Arbitrary<Value>> = {};
    for (const [name, nested] of Object.entries(type.nested)) {
      fields[name] = fc.option(knownValue(nested), { freq: 2 });
    }
    return fc.record<Record<string, Value>>(fields);
  }
  return "element" in type ? valueOfType(type.element, undefined) : valueOfType(type, undefined);
}

/** Two elements must not name one object; a default adds to the named attributes. */
function whatItNames(type: AttributeType, element: Value): string {
  if (!("nested" in type)) return JSON.stringify(meaningOf(element));
  const names = Object.keys(type.nested).filter((name) => type.nested[name]!.text.default === undefined);
  return JSON.stringify(names.map((name) => meaningOf((element as ValueObject)[name] ?? null)));
}

/** Any value that may be declared, or null where it may be left out. */
function declaredValue(type: string, name: string, attribute: Attribute): fc.Arbitrary<Value> {
  if (name in WITHIN) return spelled([WITHIN[name as keyof typeof WITHIN]]);
  if (isExempt(type, `random declarations of ${name}`)) return fc.constant(null);
  const texts = SAMPLES[type]?.texts?.[name];
  const value = texts === undefined ? knownValue(attribute) : fc.constantFrom(...texts);
  return attribute.presence === "required" ? value : fc.option(value, { freq: 4 });
}

export const declarable = (attributes: Attributes): readonly (readonly [string, Attribute])[] =>
  Object.entries(attributes).filter(([, { presence }]) => presence !== "computed");

/** A valid declaration, and the same with one attribute changed. */
export interface Change {
  readonly config: ValueObject;
  readonly name: string;
  readonly changed: ValueObject;
}

/** Valid declarations of a resource, each with a change of one attribute. */
export function changesOf(provider: Provider, type: string): fc.Arbitrary<Change> {
  const attributes = declarable(provider.schema.resources[type]!.attributes);
  const whole: fc.Arbitrary<ValueObject> = fc.record(
    Object.fromEntries(
      attributes.map(([name, attribute]) => [name, declaredValue(type, name, attribute)] as const),
    ),
  );
  const isValid = (config: ValueObject) => !hasErrors(provider.validateResource(type, config));
  const inside = attributes.filter(([name]) => !(name in WITHIN));
  return whole
    .filter(isValid)
    .chain((config) =>
      fc.constantFrom(...inside).chain(([name, attribute]) =>
        declaredValue(type, name, attribute).map((value) => ({
          config,
          name,
          changed: { ...config, [name]: value },
        })),
      ),
    )
    .filter(({ changed }) => isValid(changed));
}

/** Values that some attribute can't have, whatever their types say. */
const BAD: Readonly<Record<"string" | "number" | "reference", readonly Value[]>> = {
  string: ["", " ", "no such thing", "2026-02-31", "https://x", "x".repeat(300)],
  number: [-1, 0.5, 1e6],
  reference: ["", " ", "two words", "a//b"],
};

/** Values that an attribute can't have, with where the diagnostic points; none for a type that has no others. */
export function badValuesOf(
  name: string,
  { type, text }: Attribute,
): readonly { value: Value; at: string }[] {
  if (type.kind === "bool") return [];
  if (type.kind === "string" || type.kind === "number") {
    return BAD[type.kind]
      .filter((value) => text.check?.(value) !== undefined)
      .map((value) => ({ value, at: name }));
  }
  if (type.kind === "reference") return BAD.reference.map((value) => ({ value, at: name }));
  if ("nested" in type) {
    return Object.entries(type.nested).flatMap(([field, nested]) =>
      badValuesOf(field, nested).map(({ value }) => ({
        value: [{ [field]: value }],
        at: `${name}[${field} ${JSON.stringify(value)}].${field}`,
      })),
    );
  }
  if (!("element" in type) || type.element.kind !== "reference") return [];
  return BAD.reference.map((value) => ({ value: [value], at: `${name}[${JSON.stringify(value)}]` }));
}
