import { conversionFor } from "./conversion";
import { isCollection, type ObjectType, type Type, typeName, typesEqual } from "./types";

/** Why a type can never be converted to another one: a phrase about the first mismatch. */
export function mismatch(given: Type, wanted: Type): string {
  if (given.kind === "object" && wanted.kind === "object") return objectMismatch(given, wanted);
  if (!isCollection(wanted)) return required(wanted);
  if (given.kind === "tuple" || given.kind === "object") {
    const fits = wanted.kind === "map" ? given.kind === "object" : given.kind === "tuple";
    if (!fits) return required(wanted);
    if (wanted.element.kind === "dynamic") return `all ${wanted.kind} elements must have the same type`;
    return (
      partMismatch(given, wanted.element) ?? `all elements must be ${typeName(wanted.element, "constraint")}`
    );
  }
  if (isCollection(given) && (given.kind === "map") === (wanted.kind === "map")) {
    return `incorrect ${wanted.kind} element type: ${mismatch(given.element, wanted.element)}`;
  }
  return required(wanted);
}

const required = (wanted: Type): string => `${typeName(wanted, "constraint")} required`;

const convertible = (given: Type, wanted: Type): boolean =>
  typesEqual(given, wanted) || conversionFor(given, wanted, true) !== undefined;

function partMismatch(given: Type, wanted: Type): string | undefined {
  const parts: [string, Type][] =
    given.kind === "tuple"
      ? given.elements.map((type, index) => [String(index), type])
      : [...(given as ObjectType).attributes].map(([name, type]) => [JSON.stringify(name), type]);
  const wrong = parts.find(([, type]) => !convertible(type, wanted));
  return wrong && `element ${wrong[0]}: ${mismatch(wrong[1], wanted)}`;
}

function objectMismatch(given: ObjectType, wanted: ObjectType): string {
  const missing = [...wanted.attributes.keys()].filter(
    (name) => !given.attributes.has(name) && !wanted.optional.has(name),
  );
  if (missing.length > 0) return missingAttributes(missing);
  for (const [name, type] of wanted.attributes) {
    const own = given.attributes.get(name);
    if (own !== undefined && !convertible(own, type)) return `attribute "${name}": ${mismatch(own, type)}`;
  }
  return "incorrect object attributes";
}

function missingAttributes(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  if (quoted.length === 1) return `attribute ${quoted[0]} is required`;
  const last = quoted.pop()!;
  return `attributes ${quoted.join(", ")}${quoted.length > 1 ? "," : ""} and ${last} are required`;
}
