import type { AttributePath } from "../../diagnostics";
import { type Attributes, attributeEntries, isNested, memoize, wireType } from "../../schema";
import { type ObjectType, objectOf, type Type, typeFromJson } from "../values";

/** Returns the object type that expressions see for a resource with these attributes. */
export const impliedType = memoize((attributes: Attributes) => objectType(attributes, false));

/** Returns the object type to which the values of a block are converted. Attributes in this type are optional. */
export const constraintType = memoize((attributes: Attributes) => objectType(attributes, true));

function objectType(attributes: Attributes, canLeaveOut: boolean): ObjectType {
  const types = attributeEntries(attributes).map(([name, { type }]): [string, Type] => {
    if (!isNested(type)) return [name, typeFromJson(wireType(type))];
    const element = objectType(type.nested, canLeaveOut);
    return [name, type.kind === "single" ? element : { kind: type.kind, element }];
  });
  return objectOf(new Map(types), canLeaveOut ? Object.keys(attributes) : []);
}

/** Returns the paths of the attributes that the schema marks as sensitive. */
export const sensitiveAttributes = memoize((attributes: Attributes): readonly AttributePath[] =>
  attributeEntries(attributes)
    .filter(([, { text }]) => text.sensitive)
    .map(([name]) => [name]),
);
