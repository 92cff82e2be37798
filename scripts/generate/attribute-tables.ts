import {
  type Attribute,
  type Attributes,
  type AttributeType,
  isNested,
  type Presence,
} from "../../src/schema";
import { code, table } from "./markdown";
import type { Subject } from "./naming";

/** For each value of `presence`: the word in the tables, and what it means if a declaration omits the attribute. */
const PRESENCE: Readonly<Record<Presence, { readonly word: string; readonly meaning: string }>> = {
  required: { word: "required", meaning: "It must be set." },
  optionalComputed: {
    word: "optional, computed",
    meaning:
      "If omitted, the setting is unmanaged: it is neither changed nor compared, and its live value is shown.",
  },
  optional: {
    word: "optional",
    meaning: "If omitted, the setting is cleared: a live value is drift.",
  },
  managed: {
    word: "optional, managed as a whole",
    meaning: "If omitted, the set is unmanaged. If declared, it is owned as a whole; `[]` empties it.",
  },
  configOnly: {
    word: "optional, configuration only",
    meaning: "The service never returns it, so it is stored as declared and never compared.",
  },
  computed: { word: "computed", meaning: "Set by the service; it can be referenced, but not declared." },
};

export const PRESENCE_WORDS: readonly (readonly string[])[] = [
  ...Object.values(PRESENCE).map(({ word, meaning }) => [word, meaning]),
  ["replaces", "A change of this attribute replaces the object. All other changes are made in place."],
];

/** Returns a table of the attributes. The elements of each nested attribute have a separate table, under a heading. */
export function attributeTables(subject: Subject, attributes: Attributes, parent = ""): string[] {
  const rows = Object.entries(attributes).sort(byPresenceAndName);
  const nested = rows.flatMap(([name, { type }]) =>
    isNested(type)
      ? [
          `### Elements of ${code(parent + name)}`,
          ...attributeTables("data source", type.nested, `${parent}${name}.`),
        ]
      : [],
  );
  return [
    table(
      ["Attribute", "Type", "Presence", "Default", "Description"],
      rows.map(([name, attribute]) => [
        code(name),
        typeWords(attribute.type),
        presenceWords(subject, attribute),
        defaultOf(attribute),
        description(attribute),
      ]),
    ),
    ...nested,
  ];
}

/** Sorts attributes by presence and name: required ones first, computed ones last. */
const byPresenceAndName = (
  [a, { presence: p }]: [string, Attribute],
  [b, { presence: q }]: [string, Attribute],
) => rank(p) - rank(q) || (a < b ? -1 : 1);

const rank = (presence: Presence): number => ({ required: 0, computed: 2 })[presence as string] ?? 1;

const defaultOf = ({ text: { default: filledIn, impliedDefault } }: Attribute): string => {
  const value = filledIn ?? impliedDefault;
  return value === undefined ? "" : code(JSON.stringify(value));
};

function presenceWords(subject: Subject, { presence, text }: Attribute): string {
  // The other words say what happens to the live value if a declaration omits the attribute. Only attributes of
  // resources have a live value.
  const word =
    presence === "required" || presence === "computed" || subject === "resource"
      ? PRESENCE[presence].word
      : "optional";
  return text.replaces === true ? `${word}, replaces` : word;
}

function description({ text }: Attribute): string {
  return [
    text.description,
    ...(text.values === undefined ? [] : [`In constructs by name: \`${text.values.name}\`.`]),
    ...(text.sensitive === true ? ["Sensitive: plans and reports hide it."] : []),
    ...(text.deprecated === undefined ? [] : [`**Deprecated:** ${text.deprecated}`]),
  ].join(" ");
}

export function typeWords(type: AttributeType): string {
  if (isNested(type)) return type.kind === "single" ? "object" : `${type.kind} of objects`;
  if ("element" in type) return `${type.kind} of ${typeWords(type.element)}s`;
  return type.kind === "reference" ? "string" : type.kind;
}
