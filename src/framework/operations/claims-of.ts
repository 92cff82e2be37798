import type { Attributes, Declared } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { Claim } from "../ownership/claims";

/** What a declaration, or a live object, owns: without claims of its own the one object that it is. */
export function claimsOf(
  definition: ResourceDefinition,
  object: Declared<Attributes> | Found<Attributes>,
): readonly Claim[] {
  const { key, claims } = definition;
  // Claims rest on what the key rests on, which a live object shows as a declaration says it.
  return claims?.(object as Declared<Attributes>) ?? [ownClaim(definition, key?.of(object))];
}

/** The claim on one object by its key. */
export const ownClaim = ({ type }: Pick<ResourceDefinition, "type">, key: string | undefined): Claim => ({
  set: type.replaceAll("_", " "),
  ...(key !== undefined && { entry: key }),
});
