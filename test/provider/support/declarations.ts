import * as fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import type { Provider } from "../../../src/framework/protocol/protocol";
import type { Attribute, Attributes, AttributeType, Value, ValueObject } from "../../../src/schema";
import { isExempt, SAMPLES, type Sample, varied } from "../samples";
import { GROUP, PROJECT, USER } from "./world";

// Generates declarations from the schema: from the type, the presence, the named values and the check of each
// attribute. The generator knows which projects, groups and users exist in the test's world.

/** The possible targets of references, each with its path and id. */
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

/** The containers of the tested objects, each with its path and id. */
const WITHIN = {
  project: ["acme/web", PROJECT.web],
  group: ["acme/platform", GROUP.platform],
} as const;

/**
 * The highest access level that declarations contain. The tests' user is a Maintainer of the projects, and cannot give
 * a higher access level.
 */
const HIGHEST_LEVEL = 40;

const WORDS = /^[a-z][a-z0-9-]{0,11}$/;
const word = fc.stringMatching(WORDS);

/** Generators of texts of different shapes. An attribute uses only texts that pass its check. */
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

/** Returns a value that is the same for all spellings of one object. */
function meaningOf(value: Value): Value {
  const all = Object.values(NAMED).flat();
  return all.find(([path, id]) => path === value || String(id) === value)?.[0] ?? value;
}

const takes = ({ text }: Attribute, value: unknown): boolean => text.check?.(value) === undefined;

/** Generates a valid value of an attribute. */
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

/**
 * Returns a text that identifies the object to which an element refers. Two elements of a set must not refer to the
 * same object. Attributes with a default do not count.
 */
function whatItNames(type: AttributeType, element: Value): string {
  if (!("nested" in type)) return JSON.stringify(meaningOf(element));
  const names = Object.keys(type.nested).filter((name) => type.nested[name]!.text.default === undefined);
  return JSON.stringify(names.map((name) => meaningOf((element as ValueObject)[name] ?? null)));
}

/** Generates a value for an attribute, or null if the attribute may be omitted. */
function declaredValue(type: string, name: string, attribute: Attribute): fc.Arbitrary<Value> {
  if (name in WITHIN) return spelled([WITHIN[name as keyof typeof WITHIN]]);
  if (isExempt(type, `random declarations of ${name}`)) return fc.constant(null);
  const texts = SAMPLES[type]?.texts?.[name];
  const value = texts === undefined ? knownValue(attribute) : fc.constantFrom(...texts);
  return attribute.presence === "required" ? value : fc.option(value, { freq: 4 });
}

export const declarable = (attributes: Attributes): readonly (readonly [string, Attribute])[] =>
  Object.entries(attributes).filter(([, { presence }]) => presence !== "computed");

/** A valid declaration. `changed` is the same declaration with a different value of the attribute `name`. */
export interface Change {
  readonly config: ValueObject;
  readonly name: string;
  readonly changed: ValueObject;
}

/** Generates valid declarations of a resource, each with a change of one attribute. */
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

/**
 * Values that attributes of these types often refuse. The check of an attribute decides whether the attribute refuses
 * the value.
 */
const BAD: Readonly<Record<"string" | "number" | "reference", readonly Value[]>> = {
  string: ["", " ", "no such thing", "2026-02-31", "https://x", "x".repeat(300)],
  number: [-1, 0.5, 1e6],
  reference: ["", " ", "two words", "a//b"],
};

/**
 * Returns values that an attribute refuses, each with the path to which its diagnostic points. Returns no values for a
 * type that refuses none.
 */
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

/** A declaration of a sample in which one text is empty. `at` is the name of the text. */
interface EmptyText {
  readonly at: string;
  readonly config: ValueObject;
}

/**
 * Returns a declaration for each text of a resource, also for the texts in elements. In the declaration, this text is
 * empty. Leaves out texts whose `check` refuses an empty text.
 */
export const withEmptyTexts = (attributes: Attributes, sample: Sample): readonly EmptyText[] =>
  declarable(attributes).flatMap(([name, attribute]) =>
    emptied(name, attribute, sample.config[name] ?? null).map(({ at, value }) => ({
      at,
      config: { ...varied(sample, name), [name]: value },
    })),
  );

function emptied(at: string, attribute: Attribute, value: Value): readonly { at: string; value: Value }[] {
  const { type, text } = attribute;
  if (type.kind === "string") return takes(attribute, "") ? [{ at, value: "" }] : [];
  if ("element" in type) {
    const isTaken = type.element.kind === "string" && text.checkElement?.("") === undefined;
    return isTaken ? [{ at, value: type.kind === "map" ? { key: "" } : [""] }] : [];
  }
  if (!("nested" in type)) return [];
  const [first, ...others] = (Array.isArray(value) ? value : [value]) as readonly ValueObject[];
  return Object.entries(type.nested).flatMap(([field, nested]) =>
    emptied(`${at}.${field}`, nested, first?.[field] ?? null).map((one) => {
      const element = { ...first, [field]: one.value };
      return { at: one.at, value: type.kind === "single" ? element : [element, ...others] };
    }),
  );
}
