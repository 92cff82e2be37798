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

const names = new Map<string, string>();

/** Types are few, and objects many. */
function nameOfSet(type: string): string {
  const known = names.get(type);
  if (known !== undefined) return known;
  const name = type.replaceAll("_", " ");
  names.set(type, name);
  return name;
}

/** The ownership of one object by its key. */
export const ownOwnership = (
  { type }: Pick<ResourceDefinition, "type">,
  key: string | undefined,
): Ownership => ({
  set: nameOfSet(type),
  ...(key !== undefined && { entry: key }),
});
