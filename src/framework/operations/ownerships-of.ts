import type { Attributes, Declared } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { Ownership } from "../ownership/ownership";

/** What a declaration or a live object owns: by default the object itself. */
export const ownershipsOf = (
  definition: ResourceDefinition,
  object: Declared<Attributes> | Found<Attributes>,
): readonly Ownership[] =>
  // Ownership depends on the attributes of the key, which a live object returns as declared.
  partsOf(definition, "takes")?.(object as Declared<Attributes>) ?? [
    ownOwnership(definition, definition.key?.of(object)),
  ];

/** What of shared sets a declaration has because of itself, or takes as its own; undefined if its type owns only itself. */
export function partsOf(
  { owns }: Pick<ResourceDefinition, "owns">,
  which: "has" | "takes",
): ((declared: Declared<Attributes>) => readonly Ownership[]) | undefined {
  const { whole, entries } = owns ?? {};
  const sets = whole && ((declared: Declared<Attributes>) => whole(declared).map((set) => ({ set })));
  return which === "has" ? (entries ?? sets) : (sets ?? entries);
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
): Ownership => (key === undefined ? { set: nameOfSet(type) } : { set: nameOfSet(type), entry: key });
