import { type AttributePath, type Diagnostic, error, formatPath } from "../../diagnostics";
import type { Found, ResourceDefinition } from "../definition";
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  attributeEntries,
  type Declared,
  isObject,
  type Value,
} from "../schema";
import { elementMeaning, meaning, type Resolved } from "../spelling";

/** One place in which what was found is not what was declared. */
interface Difference {
  readonly attribute: AttributePath;
  readonly declared: Resolved;
  readonly found: Resolved;
}

/** The attributes in which what was found is not what was declared; those left out are not compared. */
export function differences(
  definition: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
): Difference[] {
  return attributeEntries(definition.attributes).flatMap(([name, attribute]) => {
    const wanted = (declared as Readonly<Record<string, Resolved>>)[name] ?? null;
    const shown = (found as Readonly<Record<string, Resolved>>)[name] ?? null;
    const isCompared = name !== definition.container && isDeclared(attribute, wanted);
    if (!isCompared || meaning(attribute.type, wanted) === meaning(attribute.type, shown)) return [];
    return [{ attribute: [name], declared: wanted, found: shown }];
  });
}

const isDeclared = ({ presence }: Attribute, wanted: Resolved): boolean =>
  presence !== "computed" && presence !== "code-only" && (wanted !== null || presence === "unset");

/** An error for each attribute, or element of a set, that the service accepted and does not show. */
export function inconsistencies(
  definition: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
): Diagnostic[] {
  return differences(definition, declared, found).flatMap((difference) => {
    const { type } = definition.attributes[String(difference.attribute[0])]!;
    return type.kind === "set" ? ofSet(type, difference) : [inconsistent(difference)];
  });
}

function ofSet(type: AttributeType, { attribute, declared, found }: Difference): Diagnostic[] {
  const wanted = asElements(declared);
  const shown = asElements(found);
  const means = (element: Resolved) => elementMeaning(type, element);
  const among = (elements: readonly Resolved[]) => new Set(elements.map(means));
  const isShown = among(shown);
  const isWanted = among(wanted);
  return [
    ...wanted.flatMap((element, index) =>
      isShown.has(means(element)) ? [] : [dropped([...attribute, index], element)],
    ),
    ...shown.filter((element) => !isWanted.has(means(element))).map((element) => added(attribute, element)),
  ];
}

const asElements = (value: Resolved): readonly Resolved[] =>
  Array.isArray(value) ? (value as readonly Resolved[]) : [];

const inconsistent = ({ attribute, declared, found }: Difference): Diagnostic =>
  refuse(
    attribute,
    `${formatPath(attribute)} was sent as ${show(declared)} and accepted, and now reads ${show(found)}.`,
  );

const dropped = (attribute: AttributePath, element: Resolved): Diagnostic =>
  refuse(
    attribute,
    `${formatPath(attribute)}, ${show(element)}, was sent and accepted, and is not there now. ` +
      "The service drops entries of users and groups that have no access to the project: give them access, or " +
      "take the entry out.",
  );

const added = (attribute: AttributePath, element: Resolved): Diagnostic =>
  refuse(attribute, `${formatPath(attribute)} now holds ${show(element)}, which was not sent.`);

const refuse = (attribute: AttributePath, detail: string): Diagnostic =>
  error({
    code: "inconsistent_result",
    summary: "The service shows something else than what was sent",
    detail,
    attribute,
  });

/** A value for a message: references by their path, nulls left away. */
function show(value: Resolved): string {
  return JSON.stringify(value, (_, part: Value) => {
    if (!isObject(part)) return part;
    if (typeof part["id"] === "number") return part["path"] ?? part["id"];
    return Object.fromEntries(Object.entries(part).filter(([, field]) => field !== null));
  });
}
