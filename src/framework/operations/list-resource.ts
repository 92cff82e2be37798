import {
  type Attributes,
  attributeEntries,
  type Declared,
  sameValue,
  type Value,
  type ValueObject,
  validateAttributes,
} from "../../schema";
import type { Found } from "../definition/definition";
import { shareOf } from "../ownership/owners";
import type { ListResponse, LiveContainer, LiveObject } from "../protocol/protocol";
import { ReferenceNotFound, References } from "../references/references";
import { toContainer } from "./containers";
import { ownershipsOf, ownOwnership } from "./declared-ownership";
import { formatId, placeOf } from "./identity";
import { refusedContainer } from "./object-problems";
import { listingScope, type ResourceSession } from "./session";
import { settingsOf, toState } from "./state";
import { isNormalized } from "./unnormalized-names";

/** Returns all live objects of one type in a container, sorted by id. */
export async function listResource(
  session: ResourceSession,
  within: LiveContainer | string,
): Promise<ListResponse> {
  try {
    const container = await containerOf(session, within);
    const found = await foundIn(session, container);
    if (found === undefined) return { objects: [], isUnavailable: true, diagnostics: [] };
    const objects = await Promise.all(found.map((one) => toLiveObject(session, container, one)));
    return { objects: objects.sort(byId), diagnostics: [] };
  } catch (problem) {
    const diagnostics = session.failures.toDiagnostics(problem);
    if (!session.failures.isRefused(problem)) return { objects: [], diagnostics };
    const refused = refusedContainer(session, typeof within === "object" ? within.path : within, 403);
    return { objects: [], isRefused: true, diagnostics: diagnostics.map((one) => ({ ...one, refused })) };
  }
}

/** @throws ReferenceNotFound, and the client's errors */
async function containerOf(
  { definition: { container: kind }, lookups }: ResourceSession,
  within: LiveContainer | string,
): Promise<LiveContainer> {
  if (typeof within === "object") {
    lookups.found(within.kind, within);
    return within;
  }
  const object = await lookups.named(kind, within);
  if (object === undefined) throw new ReferenceNotFound(kind, within, [kind]);
  return toContainer(kind, object);
}

/** Returns the live objects of a container; undefined if the container can be read but its feature is disabled. */
async function foundIn(
  session: ResourceSession,
  { kind, id }: LiveContainer,
): Promise<readonly Found<Attributes>[] | undefined> {
  try {
    return await session.definition.list(listingScope(session, id));
  } catch (problem) {
    if (!session.failures.isGone(problem) || !(await session.lookups.isReadable(kind, id))) throw problem;
    return undefined;
  }
}

/** @throws the client's errors if a reference can't be looked up */
async function toLiveObject(
  session: ResourceSession,
  container: LiveContainer,
  found: Found<Attributes>,
): Promise<LiveObject> {
  const { definition } = session;
  const { key, defaults = {} } = definition;
  const identity = placeOf(definition, container.id, found);
  const references = new References(session.lookups, undefined);
  const state = await toState({ definition, identity, found, references }, undefined);
  const settings = settingsOf(definition);
  const atDefault = settings
    .filter(([name, { type }]) => {
      const value = defaults[name];
      return value !== undefined && sameValue(state.attributes[name] ?? null, value, type);
    })
    .map(([name]) => name);
  const label = key && (key.label ?? key.unique ?? key.of)(found);
  const undeclarableSettings = undeclarableSettingsOf(definition, found);
  const problem = whyUndeclarable(session, container.id, state.attributes, found);
  return {
    type: session.type,
    id: formatId(identity),
    container,
    state,
    ...(label !== undefined && { label }),
    name: label === undefined ? container.path : `${container.path}: ${label}`,
    shares: [
      ...(key === undefined ? [] : [ownOwnership(definition, identity.key)]),
      ...ownershipsOf(definition, found),
    ].map((one) => shareOf(one, `${container.kind} ${container.id}`)),
    defaults: atDefault,
    isDefault: key === undefined && atDefault.length === settings.length,
    ...(definition.isAccessRelevant && { isAccessRelevant: true }),
    ...(problem !== undefined && { undeclarable: problem }),
    ...(undeclarableSettings !== undefined && { undeclarableSettings }),
  };
}

/**
 * Returns the reason why a plan would refuse a declaration of a live object, such as a forbidden value. Undefined if the plan
 * would accept the declaration.
 */
function whyUndeclarable(
  { definition, paths }: ResourceSession,
  container: number,
  live: ValueObject,
  found: Found<Attributes>,
): string | undefined {
  const entries = attributeEntries(definition.attributes).filter(
    ([, { presence }]) => presence !== "computed",
  );
  const config = Object.fromEntries(entries.map(([name]) => [name, live[name] ?? null]));
  const invalid = validateAttributes(definition.attributes, config, paths);
  if (!textsOf(config).every(isNormalized)) return NOT_NORMALIZED;
  const problems =
    invalid.length > 0
      ? invalid
      : [
          ...(definition.validate?.(config) ?? []),
          ...(definition.check?.(found as Declared<Attributes>, container) ?? []),
        ];
  return problems.length === 0 ? undefined : problems.map(({ detail }) => detail).join(" ");
}

/** Returns the settings that no declaration can express, each with the reason; undefined if there are none. */
function undeclarableSettingsOf(
  { undeclarable }: ResourceSession["definition"],
  found: Found<Attributes>,
): LiveObject["undeclarableSettings"] {
  const reasons = Object.entries(undeclarable?.(found) ?? {}).flatMap(([name, reason]) =>
    reason === undefined ? [] : [[name, reason] as const],
  );
  return reasons.length === 0 ? undefined : Object.fromEntries(reasons);
}

const NOT_NORMALIZED =
  "It contains text that is not in the Unicode form NFC, which a configuration can't express.";

function textsOf(value: Value): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Compares two objects by key. Keys that the service assigns are compared as numbers, and other keys as text. */
const byId = (one: LiveObject, other: LiveObject): number =>
  one.id.localeCompare(other.id, "en", { numeric: true });
