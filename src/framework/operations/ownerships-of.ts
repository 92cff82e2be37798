import type { Attributes, Declared } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { Ownership } from "../ownership/ownership";

/** What a declaration, or a live object, owns: without claims of its own the one object that it is. */
export function ownershipsOf(
  definition: ResourceDefinition,
  object: Declared<Attributes> | Found<Attributes>,
): readonly Ownership[] {
  const { key, claims } = definition;
  // Claims rest on what the key rests on, which a live object shows as a declaration says it.
  return claims?.(object as Declared<Attributes>) ?? [ownOwnership(definition, key?.of(object))];
}

/** The claim on one object by its key. */
export const ownOwnership = (
  { type }: Pick<ResourceDefinition, "type">,
  key: string | undefined,
): Ownership => ({
  set: type.replaceAll("_", " "),
  ...(key !== undefined && { entry: key }),
});
