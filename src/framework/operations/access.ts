import type { Diagnostic } from "../../diagnostics";
import { isNumericId, isUnknown, isWhollyKnown, sameValue, type ValueObject } from "../../schema";
import type { AccessChange, AccessScope, NewObject, RightsScope } from "../definition/provider-definition";
import { keepersOf, shareOf } from "../ownership/owners";
import type {
  AccessOptions,
  AccessReport,
  AccessRequest,
  NotCounted,
  PlannedChange,
  RightsReport,
  StoredState,
} from "../protocol/protocol";
import { References } from "../references/references";
import { leavingFrom } from "./declared-ownership";
import { containerOf, formatId, identityOf, placeOf, referencesOf } from "./identity";
import { failureReason } from "./object-problems";
import { type ResourceSession, readingOf, type Session } from "./session";
import { resolveDeclared } from "./state";

/**
 * Returns a report about the people who gain or lose access by planned changes. The provider's `describeAccess` evaluates the
 * changes. The report lists all other changes as not counted.
 */
export async function describeAccess(
  session: Session,
  byType: (type: string) => ResourceSession,
  requests: readonly AccessRequest[],
  { isWhole = false, isReversed, isPartial, maxReads }: AccessOptions = {},
): Promise<AccessReport> {
  const { describeAccess: evaluate } = session.provider;
  const grantsOf = ({ type }: AccessRequest) => byType(type).definition.access?.grants;
  const undeclared = requests.filter((request) => grantsOf(request) === undefined);
  const granting = requests.filter((request) => ![undefined, "nothing"].includes(grantsOf(request)));
  const unevaluated = [
    ...undeclared.map((one) => notCounted(one, NOT_DECLARED)),
    ...(evaluate === undefined ? granting.map((one) => notCounted(one, NOT_EVALUATED)) : []),
  ];
  if (evaluate === undefined) return { places: [], notCounted: unevaluated };
  const { scope, changes, unresolved } = await resolveAll(session, byType, granting);
  const knownName = async (kind: string, id: number) => session.lookups.nameOf(kind, id);
  const { notCounted: others, ...report } = await evaluate(
    {
      ...scope,
      ...(maxReads !== undefined && { nameOf: knownName }),
      isWhole,
      isReversed,
      isPartial,
      maxReads,
    },
    changes,
  );
  return { ...report, notCounted: [...unevaluated, ...unresolved, ...others] };
}

/**
 * Starts the read that `describeAccess` needs for a new object, once for each container. An object that is already in the state
 * is skipped, because only its address changes.
 */
export function readAccessAhead(session: ResourceSession, object: Omit<NewObject, "definition">): void {
  const { access, accessAhead, definition, expected, provider } = session;
  if (access === undefined || !session.isConnected || provider.readAccessAhead === undefined) return;
  const { container, declared } = object;
  const name = `${definition.container} ${container}`;
  if (accessAhead.has(name) || expected.isHeld(formatId(placeOf(definition, container, declared)))) return;
  const reading = provider.readAccessAhead({ ...readingOf(session), ...access }, { ...object, definition });
  if (reading === undefined) return;
  accessAhead.set(name, 1);
  // If this read fails, `describeAccess` sends the request again and reports the failure.
  reading.catch(() => accessAhead.set(name, 0));
}

const NOT_DECLARED = "its type does not declare which access it grants";
const NOT_EVALUATED = "its provider does not evaluate access";

/** Returns a report about the rights that planned changes need. The provider's `describeRights` evaluates the changes. */
export async function describeRights(
  session: Session,
  byType: (type: string) => ResourceSession,
  requests: readonly AccessRequest[],
): Promise<RightsReport> {
  const { scope, changes, unresolved } = await resolveAll(session, byType, requests);
  const { rights, notKnown } = await session.provider.describeRights!(scope, changes);
  return { rights, notKnown: [...unresolved, ...notKnown] };
}

/**
 * Resolves the references of changes. Returns the resolved changes, all other changes with the reason for each, and the scope of
 * the report.
 */
async function resolveAll(
  session: Session,
  byType: (type: string) => ResourceSession,
  requests: readonly AccessRequest[],
) {
  const reasonOf = (problem: unknown) => failureReason(session, problem);
  const scope: AccessScope = {
    ...readingOf(session),
    nameOf: async (kind, id) => (await session.lookups.byId(kind, id))?.path ?? String(id),
    reasonOf,
    isWhole: false,
    sentAhead: (kind, container) => session.accessAhead.get(`${kind} ${container}`) ?? 0,
  };
  const resolved = await Promise.all(
    requests.map(async (request): Promise<AccessChange | NotCounted> => {
      const own = byType(request.type);
      const { container } = own.definition;
      if (!session.isConnected) return notCounted(request, NOT_CONNECTED);
      if (isUnknown(request.planned?.attributes[container]))
        return notCounted(request, `its ${container} is known only after apply`);
      try {
        return await resolve(own, request);
      } catch (problem) {
        return notCounted(request, reasonOf(problem));
      }
    }),
  );
  return {
    scope,
    changes: resolved.filter((one) => "type" in one),
    unresolved: resolved.filter((one) => "what" in one),
  };
}

const NOT_CONNECTED = "the configuration of the provider is known only after apply";

const notCounted = ({ address }: AccessRequest, why: string): NotCounted => ({ what: address, why });

/** @throws ReferenceNotFound, and the client's errors */
async function resolve(
  session: ResourceSession,
  { address, prior, planned, config, live }: AccessRequest,
): Promise<AccessChange> {
  const { definition } = session;
  return {
    type: definition.type,
    definition,
    address,
    configured: new Set(Object.keys(config ?? {}).filter((name) => (config?.[name] ?? null) !== null)),
    isUnchanged:
      prior !== undefined && planned !== undefined && sameValue(prior.attributes, planned.attributes),
    isKept: (part) => {
      if (prior === undefined) return false;
      const share = shareOf(part, `${definition.container} ${identityOf(prior).container}`);
      return keepersOf(session, { shares: [share] }, leavingFrom(address, session, prior)).length > 0;
    },
    before: prior && (await resolveObject(session, prior, prior)),
    after: planned && (await resolveObject(session, planned, prior)),
    live,
    unknown: planned === undefined ? [] : unknownIn(planned.attributes, config ?? {}),
  };
}

async function resolveObject(
  session: ResourceSession,
  object: StoredState,
  prior: StoredState | undefined,
): Promise<NonNullable<AccessChange["after"]>> {
  const { definition, lookups } = session;
  const references =
    object === prior
      ? referencesOf(session, prior)
      : new References(lookups, object.private ?? prior?.private);
  const declared = await resolveDeclared(definition, object.attributes, references);
  const container = object === prior ? identityOf(object).container : containerOf(definition, declared);
  return {
    container,
    declared: declared as Readonly<Record<string, unknown>>,
    attributes: object.attributes,
  };
}

/**
 * Returns the names of declared attributes whose planned values are unknown. Other unknown values are ignored, because the
 * service decides them.
 */
const unknownIn = (planned: ValueObject, config: ValueObject): string[] =>
  Object.keys(planned).filter(
    (name) => (config[name] ?? null) !== null && !isWhollyKnown(planned[name] ?? null),
  );

/** Returns diagnostics about the changes that the role of the token's user or the scopes of the token do not allow. */
export async function checkRights(
  session: Session,
  byType: (type: string) => ResourceSession,
  changes: readonly PlannedChange[],
): Promise<readonly (readonly Diagnostic[])[]> {
  const { isConnected, provider } = session;
  if (!isConnected || provider.checkRights === undefined) return changes.map(() => []);
  const defined = changes.map((change) => ({ ...change, definition: byType(change.type).definition }));
  return provider.checkRights(rightsScopeOf(session), defined);
}

/**
 * Starts the reads that `checkRights` needs for a change, once for each type and container. Only a host that also applies the
 * plan needs these reads: the first change of its apply then does not wait.
 */
export function readRightsAhead(session: ResourceSession, change: PlannedChange, container: number): void {
  const { definition, isConnected, provider, rights, type } = session;
  if (rights === undefined || !isConnected || provider.checkRights === undefined) return;
  const name = `${type} ${container}`;
  if (session.rightsRead.has(name)) return;
  session.rightsRead.add(name);
  // The problems of this early call are ignored, because a later call of `checkRights` reports them.
  provider.checkRights(rightsScopeOf(session), [{ ...change, definition }]).catch(() => undefined);
}

function rightsScopeOf({ api, rights = new Map(), lookups }: Session): RightsScope {
  return {
    api,
    known: rights,
    levelIn: (kind, name) => {
      const { known } = lookups;
      const text = String(name);
      const found = isNumericId(text) ? known.byId(kind, Number(text)) : known.byPath(kind, text);
      return found instanceof Promise ? undefined : found?.level;
    },
  };
}
