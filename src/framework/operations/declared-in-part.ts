import { type Attribute, attributeEntries, isWhollyKnown, reference, withDefaults } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import type { KnownPaths } from "../references/lookups";
import { type Resolved, resolveValue } from "../references/normalize";
import { References } from "../references/references";
import { parseId, type Session } from "./session";

/** A declaration in which everything unknown differs from all else. */
export function declaredInPart(
  { attributes }: ResourceDefinition,
  { lookups }: Pick<Session, "lookups">,
  { attributes: values, private: remembered }: StoredState,
): Readonly<Record<string, Resolved>> {
  const references = new References(orUnknown(lookups.known), remembered);
  const declared = attributeEntries(attributes)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name, attribute]) => {
      const value = withDefaults(attribute, values[name] ?? null);
      const isKnown = isWhollyKnown(value) && (value !== null || attribute.presence !== "required");
      return [
        name,
        isKnown ? resolveValue(attribute.type, value, references, [name]) : placeholder(attribute),
      ];
    });
  return Object.fromEntries(declared);
}

let unknowns = 0;

/** No service has such an id. */
const unknownReference = () => reference(-++unknowns);

function placeholder({ type }: Attribute): Resolved {
  if (type.kind === "reference") return unknownReference();
  if (type.kind === "string") return `(unknown ${++unknowns})`;
  return type.kind === "set" || type.kind === "list" ? [] : null;
}

const orUnknown = (known: KnownPaths): KnownPaths => ({
  byId: (kind, id) => known.byId(kind, id),
  byPath: (kind, path) => known.byPath(kind, path) ?? { ...unknownReference(), path },
});

/** The container of such a declaration; undefined if it is not known. */
export function containerInPart(
  { container }: ResourceDefinition,
  { attributes: { id } }: StoredState,
  declared: Readonly<Record<string, Resolved>>,
): number | undefined {
  return typeof id === "string" ? parseId(id).container : idIn(declared[container]);
}

function idIn(resolved: Resolved | undefined): number | undefined {
  const { id } = Object(resolved) as { readonly id?: number };
  return id !== undefined && id > 0 ? id : undefined;
}
