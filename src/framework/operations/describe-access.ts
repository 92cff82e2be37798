import { isUnknown, isWhollyKnown, sameValue, type ValueObject } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { AccessChange, AccessScope } from "../definition/provider-definition";
import { shareOf } from "../ownership/ownership";
import type {
  AccessOptions,
  AccessReport,
  AccessRequest,
  NotCounted,
  RightsReport,
  StoredState,
} from "../protocol/protocol";
import { References } from "../references/references";
import { identityOf, referencesOf, type Session } from "./session";
import { containerOf, resolveDeclared } from "./state";
import { failureReason } from "./unreadable-object";

type Describe<Report> = (scope: AccessScope, changes: readonly AccessChange[]) => Promise<Report>;

/** Who gains and loses access by planned changes, as the provider's definition evaluates them. */
export async function describeAccess(
  session: Session,
  describe: Describe<AccessReport>,
  byType: (type: string) => ResourceDefinition,
  requests: readonly AccessRequest[],
  { isWhole = false, isReversed }: AccessOptions = {},
): Promise<AccessReport> {
  const { scope, changes, unresolved } = await resolveAll(session, byType, requests);
  const { notCounted: others, ...report } = await describe({ ...scope, isWhole, isReversed }, changes);
  return { ...report, notCounted: [...unresolved, ...others] };
}

/** The rights that planned changes need, as the provider's definition evaluates them. */
export async function describeRights(
  session: Session,
  describe: Describe<RightsReport>,
  byType: (type: string) => ResourceDefinition,
  requests: readonly AccessRequest[],
): Promise<RightsReport> {
  const { scope, changes, unresolved } = await resolveAll(session, byType, requests);
  const { rights, notKnown } = await describe(scope, changes);
  return { rights, notKnown: [...unresolved, ...notKnown] };
}

/** The changes with resolved references, and those that can't be resolved, with the reason. */
async function resolveAll(
  session: Session,
  byType: (type: string) => ResourceDefinition,
  requests: readonly AccessRequest[],
) {
  const reason = (problem: unknown) => failureReason(session, problem);
  const resolved = await Promise.all(
    requests.map(async (request): Promise<AccessChange | NotCounted> => {
      const { container } = byType(request.type);
      if (!session.isConnected) return notCounted(request, NOT_CONNECTED);
      if (isUnknown(request.planned?.attributes[container]))
        return notCounted(request, unknownContainer(container));
      try {
        return await resolve(session, byType(request.type), request);
      } catch (problem) {
        return notCounted(request, reason(problem));
      }
    }),
  );
  return {
    scope: scopeOf(session, reason),
    changes: resolved.filter((one) => "type" in one),
    unresolved: resolved.filter((one) => "what" in one),
  };
}

const unknownContainer = (kind: string): string => `its ${kind} is known only after apply`;
const NOT_CONNECTED = "the configuration of the provider is known only after apply";

const notCounted = ({ address }: AccessRequest, why: string): NotCounted => ({ what: address, why });

const scopeOf = (session: Session, reason: (problem: unknown) => string): AccessScope => ({
  api: session.api,
  collection: (container, collection) => session.collections.of(container, collection),
  nameOf: async (kind, id) => (await session.lookups.byId(kind, id))?.path ?? String(id),
  reasonOf: reason,
  isWhole: false,
});

/** @throws ReferenceNotFound, and the client's errors */
async function resolve(
  session: Session,
  definition: ResourceDefinition,
  { address, prior, planned, config }: AccessRequest,
): Promise<AccessChange> {
  const { container } = definition;
  return {
    type: definition.type,
    definition,
    address,
    configured: new Set(Object.keys(config ?? {}).filter((name) => (config?.[name] ?? null) !== null)),
    isUnchanged:
      prior !== undefined && planned !== undefined && sameValue(prior.attributes, planned.attributes),
    isKept: (part) => {
      if (prior === undefined) return false;
      const ending = { type: session.typeOf(definition), address, object: String(prior.attributes["id"]) };
      return session.holdings.isKept(shareOf(part, `${container} ${identityOf(prior).container}`), ending);
    },
    before: prior && (await resolveObject(session, definition, prior, prior)),
    after: planned && (await resolveObject(session, definition, planned, prior)),
    unknown: planned === undefined ? [] : unknownIn(planned.attributes, config ?? {}),
  };
}

async function resolveObject(
  session: Session,
  definition: ResourceDefinition,
  object: StoredState,
  prior: StoredState | undefined,
): Promise<NonNullable<AccessChange["after"]>> {
  const references =
    object === prior
      ? referencesOf(definition, session, prior)
      : new References(session.lookups, object.private ?? prior?.private);
  const declared = await resolveDeclared(definition, object.attributes, references);
  const container = object === prior ? identityOf(object).container : containerOf(definition, declared);
  return {
    container,
    declared: declared as Readonly<Record<string, unknown>>,
    attributes: object.attributes,
  };
}

/** What the service decides itself is unknown as well, but not declared. */
const unknownIn = (planned: ValueObject, config: ValueObject): string[] =>
  Object.keys(planned).filter(
    (name) => (config[name] ?? null) !== null && !isWhollyKnown(planned[name] ?? null),
  );
