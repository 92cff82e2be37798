import type { Attributes, Declared, ValueObject } from "../../schema";
import { NOT_CACHED } from "../collections/live-collection";
import type { Found, ResourceDefinition, Scope } from "../definition/definition";
import type { ObservedBeforeCreate } from "../protocol/protocol";
import { alike } from "./existing-object";
import { formatId, type Session, scopeOf } from "./session";
import { containerOf } from "./state";

/**
 * The objects in the place of a new one, as far as this run has read them; it sends no request. Undefined if
 * that is unknown.
 */
export async function observeBeforeCreate(
  definition: ResourceDefinition,
  session: Session,
  declared: Declared<Attributes>,
): Promise<ObservedBeforeCreate | undefined> {
  const { key } = definition;
  const container = containerOf(definition, declared);
  const scope = knownScope(definition, session, container);
  try {
    if (key === undefined) return await withoutConfigOnly(definition, scope);
    if (key.unique === undefined) {
      const found = await session.failures.orNothing(definition.read(scope, key.of(declared)));
      return { ids: found === undefined ? [] : [formatId({ container, key: key.of(declared) })] };
    }
    const found = await alike(definition, scope, key.unique(declared));
    return { ids: found.map((one) => formatId({ container, key: key.of(one) })) };
  } catch (problem) {
    if (problem === NOT_CACHED) return undefined;
    throw problem;
  }
}

/** An object that a container always has matters only if it may be partly created. */
async function withoutConfigOnly(
  definition: ResourceDefinition,
  scope: Scope,
): Promise<ObservedBeforeCreate | undefined> {
  if (definition.isBegun === undefined) return undefined;
  const found = await definition.read(scope, "");
  return found && { ids: [formatId({ container: scope.container, key: "" })], found: found as ValueObject };
}

/** The attributes that an interrupted create may have written, if it takes several writes. */
export const isPartlyCreated = (
  { isBegun: begun }: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
  before: ObservedBeforeCreate | undefined,
): boolean =>
  before?.found !== undefined &&
  (begun?.(declared, found, before.found as unknown as Found<Attributes>) ?? false);

/** A scope in which every request throws `NOT_CACHED`. */
export function knownScope(definition: ResourceDefinition, session: Session, container: number): Scope {
  return {
    ...scopeOf(definition, session, container),
    api: SILENT,
    collection: (wanted) => session.collections.of(container, wanted).asKnown(),
  };
}

const SILENT = new Proxy(
  {},
  {
    get: () => {
      throw NOT_CACHED;
    },
  },
);
