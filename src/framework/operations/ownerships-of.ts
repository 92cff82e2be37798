import type { Attributes, Declared } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { Ownership } from "../ownership/ownership";

/** What a declaration or a live object owns: by default the object itself. */
export function ownershipsOf(
  definition: ResourceDefinition,
  object: Declared<Attributes> | Found<Attributes>,
): readonly Ownership[] {
  const { key, claims } = definition;
  // Ownership depends on the attributes of the key, which a live object returns as declared.
  return claims?.(object as Declared<Attributes>) ?? [ownOwnership(definition, key?.of(object))];
}

/** The ownership of one object by its key. */
export const ownOwnership = (
  { type }: Pick<ResourceDefinition, "type">,
  key: string | undefined,
): Ownership => ({
  set: type.replaceAll("_", " "),
  ...(key !== undefined && { entry: key }),
});
