import { attributeEntries, isWhollyKnown } from "../../schema";
import type { ChangeContainer, ResourceChange } from "./plan";

type Values = Pick<ResourceChange, "attributes" | "before" | "after" | "beforeSensitive" | "afterSensitive">;

/** The container that an object's attributes name: the required reference with the name of its kind. */
export function containerByAttributes({
  attributes,
  before,
  after,
  beforeSensitive,
  afterSensitive,
}: Values): ChangeContainer | undefined {
  const [kind] =
    attributeEntries(attributes).find(
      ([name, { type, presence }]) =>
        presence === "required" && type.kind === "reference" && type.to === name,
    ) ?? [];
  if (kind === undefined) return undefined;
  const isSensitive = [...beforeSensitive, ...afterSensitive].some(
    ([name]) => name === undefined || name === kind || name === "id",
  );
  const value = (after ?? before)?.[kind] ?? null;
  if (isSensitive || typeof value !== "string" || !isWhollyKnown(value)) return undefined;
  return { kind, name: value };
}
