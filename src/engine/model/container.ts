import type { AttributePath } from "../../diagnostics";
import { type Attributes, attributeEntries, isWhollyKnown, memoize } from "../../schema";
import type { ChangeContainer, ResourceChange } from "./plan";

type Values = Pick<ResourceChange, "attributes" | "before" | "after" | "beforeSensitive" | "afterSensitive">;

/** The required reference with the name of its kind. */
export const containerAttribute = memoize((attributes: Attributes) => {
  const found = attributeEntries(attributes).find(
    ([name, { type, presence }]) => presence === "required" && type.kind === "reference" && type.to === name,
  );
  return { name: found?.[0] };
});

/** The container that an object's attributes name: the required reference with the name of its kind. */
export function containerByAttributes({
  attributes,
  before,
  after,
  beforeSensitive,
  afterSensitive,
}: Values): ChangeContainer | undefined {
  const kind = containerAttribute(attributes).name;
  if (kind === undefined) return undefined;
  const hides = ([name]: AttributePath) => name === undefined || name === kind || name === "id";
  const isSensitive = beforeSensitive.some(hides) || afterSensitive.some(hides);
  const value = (after ?? before)?.[kind] ?? null;
  if (isSensitive || typeof value !== "string" || !isWhollyKnown(value)) return undefined;
  return { kind, name: value };
}
