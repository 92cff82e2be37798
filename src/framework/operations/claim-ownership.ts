import type { Diagnostic } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  attributeEntries,
  type Declared,
  isWhollyKnown,
  reference,
  withDefaults,
} from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ClaimRequest, StoredState } from "../protocol/protocol";
import type { KnownPaths } from "../references/lookups";
import { type Resolved, resolveValue } from "../references/normalize";
import { References } from "../references/references";
import { ownershipsOf } from "./ownerships-of";
import { parseId, type Session } from "./session";

/** A declaration, with its address if the host knows it. */
type ClaimInPart = Omit<ClaimRequest, "type" | "address"> & { readonly address: string | undefined };

/**
 * Registers what a declaration owns of which this run does not know everything, and reports what another declaration
 * owns too. Sends no request; undefined if its container is not known.
 */
export function claimOwnership(
  definition: ResourceDefinition,
  session: Session,
  { address, object, ...declaration }: ClaimInPart,
): readonly Diagnostic[] | undefined {
  const declared = declaredInPart(definition, session, declaration);
  const { id } = declaration.attributes;
  const container = typeof id === "string" ? parseId(id).container : idIn(declared[definition.container]);
  if (container === undefined) return undefined;
  return session.claims.register(
    { resource: session.typeOf(definition), address, object, isPlannedAgain: object !== undefined },
    `${definition.container} ${container}`,
    ownershipsOf(definition, declared as Declared<Attributes>),
  );
}

/** A declaration in which everything unknown differs from all else. */
function declaredInPart(
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

function idIn(resolved: Resolved | undefined): number | undefined {
  const { id } = Object(resolved) as { readonly id?: number };
  return id !== undefined && id > 0 ? id : undefined;
}
