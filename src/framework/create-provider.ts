import type { Diagnostic } from "../diagnostics";
import {
  type Attributes,
  attributeEntries,
  computed,
  continueWith,
  isWhollyKnown,
  type PathSyntaxes,
  type ProviderSchema,
  type Schema,
  type ValueObject,
  validateAttributes,
} from "../schema";
import { type DataSourceDefinition, isLeftOnDestroy, type ResourceDefinition } from "./definition/definition";
import { callFunction, type FunctionDefinition } from "./definition/function-definition";
import { identitySchemaOf } from "./definition/identity-schema";
import type { ProviderDefinition } from "./definition/provider-definition";
import { checkRights, describeAccess, describeRights } from "./operations/access";
import { applyResource, recoverResource } from "./operations/apply-resource";
import { declaredPaths, disputedPaths, newPaths } from "./operations/compare-paths";
import { containerOf, findContainers, learnContainer } from "./operations/containers";
import { SecondLooks } from "./operations/contradictions";
import { moveResource, requireUpgrades, upgradeIdentity, upgradeResource } from "./operations/convert-state";
import { claimOwnership, coveredBy, expectChanges, ownedShares } from "./operations/declared-ownership";
import { identify, idParts, parseId, withIdentity } from "./operations/identity";
import { importIdFormat, importResource } from "./operations/import-resource";
import { listResource } from "./operations/list-resource";
import { planDestroy } from "./operations/plan-destroy";
import { claimIfUnchanged, planResource } from "./operations/plan-resource";
import { queryResource, querySchema, validateQuery } from "./operations/query-resource";
import { readDataSource, readResource } from "./operations/read-resource";
import { replacedValues } from "./operations/replaced-values";
import {
  extended,
  openSession,
  pathsOf,
  type ResourceSession,
  resourceSession,
  type Session,
  shownBy,
} from "./operations/session";
import { isCurrent, spelledAlike } from "./operations/state";
import { deferredClient } from "./protocol/connection";
import { Failures } from "./protocol/failures";
import type {
  ConfiguredProvider,
  ConfigureResponse,
  ListedType,
  PlannedRequest,
  PlanResponse,
  Provider,
  RunOptions,
  StateResponse,
  StoredState,
} from "./protocol/protocol";
import { rememberedIn } from "./references/remembered";

/** Returns the provider of a definition, for hosts. @throws Error if a resource lacks the upgrade from an older version */
export function providerOf(definition: ProviderDefinition): Provider {
  const { name, resources, dataSources, functions = [], attributes, moves } = definition;
  for (const one of resources) requireUpgrades(one);
  const resource = byType(name, resources);
  const dataSource = byType(name, dataSources);
  const schema = schemaOf(definition);
  const paths = pathsOf(definition);
  return {
    schema,
    listed: listedTypes(definition),
    ...(definition.redactPath && { redactPath: definition.redactPath }),
    validateProvider: (config) => validateAttributes(attributes, config),
    validateResource: (type, config) => validate(schema.resources[type]!, resource(type), paths, config),
    validateDataSource: (type, config) =>
      validate(schema.dataSources[type]!, dataSource(type), paths, config),
    validateQuery: (type, config) =>
      validateQuery(resource(type), definition.containers, schema.listResources![type]!, paths, config),
    isLeftOnDestroy: (type, attributes) => isLeftOnDestroy(resource(type), attributes),
    idParts: (_type, id) => idParts(id),
    newPaths: (type, before, planned) => newPaths(resource(type), before, planned),
    upgradeResource: (type, version, stored) => {
      const definition = resource(type);
      // Most stored objects already have the current attributes, and need no upgrade.
      if (isCurrent(definition, version, stored)) return { attributes: stored, diagnostics: [] };
      return upgradeResource(type, definition, version, stored);
    },
    upgradeIdentity: (type, version, stored) => upgradeIdentity(type, resource(type), version, stored),
    moveResource: (request) => {
      const definition = resource(request.type);
      return identifiedBy(definition)(moveResource(definition, moves, request));
    },
    callFunction: (name, args) => callFunction(byName(functions, name), args),
    configure: (config, run) => configure(definition, config, run),
  };
}

function validate(
  { attributes }: Schema,
  { validate: rules }: Pick<DataSourceDefinition, "validate">,
  paths: PathSyntaxes,
  config: ValueObject,
): readonly Diagnostic[] {
  const found = validateAttributes(attributes, config, paths);
  if (found.length > 0 || rules === undefined) return found;
  return rules(
    Object.fromEntries(attributeEntries(attributes).map(([name]) => [name, config[name] ?? null])),
  );
}

type ByType<T> = (type: string) => T;

/**
 * Returns a function that finds a definition by its full type name, such as `acme_thing`. The function throws an error for an
 * unknown type.
 */
function byType<T extends { readonly type: string }>(prefix: string, definitions: readonly T[]): ByType<T> {
  const all = new Map(definitions.map((definition) => [`${prefix}_${definition.type}`, definition]));
  return (type) => {
    const definition = all.get(type);
    if (definition === undefined)
      throw new Error(`The host requested ${type}, which is not in the provider's schema.`);
    return definition;
  };
}

function byName(functions: readonly FunctionDefinition[], name: string): FunctionDefinition {
  const definition = functions.find((one) => one.name === name);
  if (definition === undefined)
    throw new Error(`The host called the function ${name}, which is not in the provider's schema.`);
  return definition;
}

function schemaOf(provider: ProviderDefinition): ProviderSchema {
  const { name, source, description, attributes, resources, dataSources, functions = [] } = provider;
  const named = <T extends { type: string }, U>(definitions: readonly T[], schema: (definition: T) => U) =>
    Object.fromEntries(definitions.map((definition) => [`${name}_${definition.type}`, schema(definition)]));
  return {
    source,
    provider: { version: 0, description, attributes },
    resources: named(resources, (definition) => ({
      version: definition.version ?? 0,
      description: definition.description,
      attributes: { id: idAttribute(importIdFormat(definition)), ...definition.attributes } as Attributes,
      identity: identitySchemaOf(definition),
    })),
    dataSources: named(dataSources, (definition) => ({
      version: 0,
      description: definition.description,
      attributes: definition.attributes,
    })),
    listResources: named(resources, (definition) =>
      querySchema(`${name}_${definition.type}`, definition, provider.containers),
    ),
    functions: Object.fromEntries(functions.map(({ name: own, call: _, ...signature }) => [own, signature])),
  };
}

/** Returns the `id` attribute that every resource has. An import accepts the values of this attribute. */
const idAttribute = (format: string) =>
  computed.string(`The id of this object, \`${format}\`, as import accepts it.`);

function configure(definition: ProviderDefinition, config: ValueObject, run: RunOptions): ConfigureResponse {
  const unknown = Object.keys(definition.attributes).filter((name) => !isWhollyKnown(config[name] ?? null));
  const isConnected = unknown.length === 0;
  try {
    const connection = isConnected ? definition.connect(config, run) : deferredClient(unknown);
    const session = openSession(definition, connection, isConnected, run);
    return { provider: connect(session), diagnostics: connection.warnings ?? [] };
  } catch (problem) {
    return { diagnostics: new Failures(definition.failureOf).toDiagnostics(problem) };
  }
}

const listedTypes = ({ name, resources }: ProviderDefinition): Record<string, ListedType> =>
  Object.fromEntries(
    resources.map(({ type, container, key, access }) => {
      const whole = resources.find(({ owns }) => owns?.entryTypes?.includes(type));
      return [
        `${name}_${type}`,
        {
          container,
          isSingle: key === undefined,
          ...(whole && { wholeType: `${name}_${whole.type}` }),
          ...(access?.grants === "nothing" && { grantsNothing: true as const }),
        },
      ];
    }),
  );

/** Returns the types whose objects can own parts of the same sets as this type: whole sets, or single entries of them. */
const sharesWith = (
  { name, resources }: ProviderDefinition,
  { type, owns }: ResourceDefinition,
): string[] => {
  const owners = resources.filter((one) => one.owns?.entryTypes?.includes(type)).map((one) => one.type);
  return [...(owns?.entryTypes ?? []), ...owners].map((one) => `${name}_${one}`);
};

/** Returns a function that adds the identity of an object to the state in a response. */
const identifiedBy =
  (definition: ResourceDefinition) =>
  <R extends { readonly state?: StoredState }>(response: R): R => {
    const { state } = response;
    const identified = withIdentity(definition, state);
    return identified === state ? response : { ...response, state: identified };
  };

function connect(session: Session): ConfiguredProvider {
  const { connection, isConnected, provider: definition } = session;
  const { name, resources } = definition;
  const dataSource = byType(name, definition.dataSources);
  const sessions = byType(
    name,
    resources.map((one) => ({ type: one.type, session: resourceSession(session, one) })),
  );
  const of: ByType<ResourceSession> = (type) => sessions(type).session;
  const identified = (type: string) => identifiedBy(of(type).definition);
  const placeIn = (type: string, { id, ...attributes }: ValueObject) =>
    [id, attributes[of(type).definition.container]] as const;
  return {
    describeAccess: (changes, options) => describeAccess(session, of, changes, options),
    ...(definition.describeRights && {
      describeRights: (changes) => describeRights(session, of, changes),
    }),
    ...(connection.rehearsing && {
      rehearse: async (request) => {
        const requests: PlannedRequest[] = [];
        const api = connection.rehearsing!((change) => void requests.push(change));
        // A rehearsal sends no change, so a repeated read would never show the change.
        const secondLooks = new SecondLooks(undefined);
        const { diagnostics } = await applyResource(
          extended(of(request.type), { api, secondLooks }),
          request,
        );
        return { requests, diagnostics: requests.length > 0 ? [] : diagnostics };
      },
    }),
    expectReads: (objects, sources) => {
      for (const { type, id } of objects) {
        const { expected } = of(type);
        expected.add(parseId(id).container);
        expected.hold(id);
      }
      session.collections.willShow(shownBy(sources.map(dataSource)));
    },
    ...(isConnected && { service: connection.address }),
    claim: (request) => {
      session.lookups.learn(rememberedIn(request.private).references);
      return claimOwnership(of(request.type), request);
    },
    owns: (request) => ownedShares(of(request.type), request),
    sharesWith: (type) => sharesWith(definition, of(type).definition),
    // The question to the user contains the username. If the username can't be read, the question does not contain the username.
    currentUser: () => session.failures.orElse(definition.currentUser?.(connection.client), undefined),
    containerOf: (type, attributes) => containerOf(of(type), ...placeIn(type, attributes)),
    spelledLike: (type, values, like) => spelledAlike(of(type), values, like),
    containerIdOf: (_type, id) => idParts(id).container,
    learnContainer: (type, attributes) => learnContainer(of(type), ...placeIn(type, attributes)),
    identify: (request) => identify(of(request.type), request),
    readResource: (request) => {
      const answer = readResource(of(request.type), request);
      // The response has the state of the request, which already contains the identity.
      const isAsBefore = !(answer instanceof Promise) && answer.state === request.state;
      if (isAsBefore && answer.diagnostics.length === 0) return answer;
      return continueWith(answer, identified(request.type)<StateResponse>);
    },
    ...changing(session, of),
    importResource: (request) => importResource(of(request.type), request),
    findContainers: (selection, signal) => findContainers(session, selection, signal),
    listResource: ({ type, within }) => listResource(of(type), within),
    coveredBy: (object) => coveredBy(of(object.type), object),
    queryResource: ({ type, ...request }, signal) => queryResource(of(type), request, signal),
    readDataSource: ({ type, config }) => readDataSource(dataSource(type), session, config),
    close: () => connection.close(),
  };
}

type Changing = Pick<
  ConfiguredProvider,
  | "declaredPaths"
  | "disputedPaths"
  | "declaredIn"
  | "planResource"
  | "isUnchanged"
  | "replacedValues"
  | "planDestroy"
  | "checkRights"
  | "expectChanges"
  | "applyResource"
  | "recoverResource"
>;

/** Returns the operations that plan changes or send them. */
function changing(session: Session, of: ByType<ResourceSession>): Changing {
  const identified = (type: string) => identifiedBy(of(type).definition);
  return {
    declaredPaths: ({ type, ...request }) => declaredPaths(of(type), request),
    disputedPaths: (type, planned) => disputedPaths(of(type), planned),
    declaredIn: (state) => rememberedIn(state.private).declared,
    planResource: (request) =>
      continueWith(planResource(of(request.type), request), (plan): PlanResponse => {
        const { planned } = plan;
        if (planned === undefined || planned === request.prior) return plan;
        const { attributes, identity } = request.prior ?? {};
        const isAsBefore = identity !== undefined && planned.attributes === attributes;
        return {
          ...plan,
          planned: isAsBefore ? { ...planned, identity } : withIdentity(of(request.type).definition, planned),
        };
      }),
    isUnchanged: (request) => claimIfUnchanged(of(request.type), request)?.length === 0,
    replacedValues: (request) => replacedValues(of(request.type), request),
    planDestroy: (request) => planDestroy(of(request.type), request),
    checkRights: (changes) => checkRights(session, of, changes),
    expectChanges: (staying, leaving) => expectChanges(of, staying, leaving),
    applyResource: (request) => applyResource(of(request.type), request).then(identified(request.type)),
    recoverResource: (request) => recoverResource(of(request.type), request).then(identified(request.type)),
  };
}
