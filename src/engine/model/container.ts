import { attributeEntries, isWhollyKnown } from "../../schema";
import type { ResourceChange } from "./plan";

/** The container of an object on the service, such as a project. */
export interface ChangeContainer {
  readonly kind: string;
  /** Its full path, or its numeric id while the path is not known. */
  readonly name: string;
  readonly id?: number;
  /** The address of its web page. */
  readonly url?: string;
}

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
