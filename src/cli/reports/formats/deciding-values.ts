import { atMost } from "../../../text";
import type { Difference } from "../../difference";
import { attributesOf, type Equal } from "../../document/equal";
import type { ReportObject } from "../../document/model";

/** Values in a closed row, and the characters of each. */
const SHOWN = 2;
const MAX_LENGTH = 90;

/** Attributes that only identify an object: the title of the row has them. */
const IDENTITY: ReadonlySet<string> = new Set(["id", "project", "group", "name"]);

/**
 * Returns the values that a closed row shows, such as `required_approvals 2 → 1`: at most two values, and the number of others.
 * Empty if nothing but the object's identity differs.
 */
export function decidingValues(objects: Equal<ReportObject>): readonly string[] {
  const attributes = objects.length === 1 ? objects[0].attributes : attributesOf(objects);
  const values = attributes
    .filter(({ name }) => !IDENTITY.has(name))
    .flatMap(({ name, difference }) => valuesIn(name, difference));
  return atMost(values, SHOWN);
}

/** Each value that differs within an attribute. Values of nested fields have the name of their field. */
function valuesIn(name: string, difference: Difference): string[] {
  if (difference.mark === " " && (difference.kind === "leaf" || difference.kind === "hidden")) return [];
  switch (difference.kind) {
    case "leaf": {
      const { mark, before, after } = difference;
      if (mark === "~") return [shortened(`${name} ${before} → ${after}`)];
      return [shortened(mark === "-" ? `${name} − ${before}` : `${name} + ${after}`)];
    }
    case "fields":
      return difference.fields.flatMap((field) => valuesIn(field.name, field.difference));
    case "elements":
      return difference.elements.flatMap((element) => valuesIn(name, element));
    case "hidden":
      return [`${name} (sensitive)`];
    default:
      return [`${name} changes`];
  }
}

const shortened = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
