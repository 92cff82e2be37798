import type { Diagnostic } from "../diagnostics";
import {
  type Attributes,
  attributeEntries,
  computed,
  isWhollyKnown,
  type PathSyntaxes,
  type ProviderSchema,
  type Schema,
  type ValueObject,
  validateAttributes,
} from "../schema";
import { type DataSourceDefinition, isLeftOnDestroy, type ResourceDefinition } from "./definition/definition";
import { callFunction, type FunctionDefinition } from "./definition/function-definition";
import type { ProviderDefinition } from "./definition/provider-definition";
import { applyResource } from "./operations/apply-resource";
import { containerKinds, containerOf, findContainers, learnContainer } from "./operations/containers";
import { moveResource, requireUpgrades, upgradeIdentity, upgradeResource } from "./operations/convert-state";
import { claimOwnership, coveredBy, expectChanges, ownedShares } from "./operations/declared-ownership";
import { describeAccess, describeRights } from "./operations/describe-access";
import { replacedValues } from "./operations/existing-object";
import { identify } from "./operations/identify";
import { importIdFormat, importResource } from "./operations/import-resource";
import { listResource } from "./operations/list-resource";
import { planDestroy } from "./operations/plan-destroy";
import { planResource } from "./operations/plan-resource";
import { queryResource, querySchema, validateQuery } from "./operations/query-resource";
import { readDataSource, readResource } from "./operations/read-resource";
import { recoverResource } from "./operations/recover-resource";
import { identitySchemaOf, withIdentity } from "./operations/resource-identity";
import { openSession, parseId, type Session } from "./operations/session";
import { claimIfStays } from "./operations/stays";
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
import { whenKnown } from "./protocol/resolution";
import { References } from "./references/references";

/**
 * Creates a provider for hosts from its definition. @throws Error if a definition lacks an upgrade from an
 * older version
 */
export function providerOf(definition: ProviderDefinition): Provider {
  const { resources, dataSources, functions = [], attributes, kinds, moves } = definition;
  for (const one of resources) requireUpgrades(one);
  const resource = byType(definition, resources);
  const dataSource = byType(definition, dataSources);
  const schema = schemaOf(definition);
  const paths = Object.fromEntries(Object.entries(kinds).map(([name, { path }]) => [name, path]));
  const registered = { definition, resource, dataSource, paths };
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
    upgradeResource: (type, version, stored) => upgradeResource(type, resource(type), version, stored),
    upgradeIdentity: (type, version, stored) => upgradeIdentity(type, resource(type), version, stored),
    moveResource: (request) => {
      const { state, diagnostics } = moveResource(resource(request.type), moves, request);
      return { ...(state && { state: withIdentity(resource(request.type), state) }), diagnostics };
    },
    callFunction: (name, args) => callFunction(byName(functions, name), args),
    configure: (config, run) => configure(config, run, registered),
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

function byType<T extends { readonly type: string }>(
  { name }: ProviderDefinition,
  definitions: readonly T[],
): ByType<T> {
  const all = new Map(definitions.map((definition) => [`${name}_${definition.type}`, definition]));
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
      version: definition.version,
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

/** The id of every resource, in the form that import accepts. */
const idAttribute = (format: string) =>
  computed.string(`The id of this object, \`${format}\`, as import accepts it.`);

/** A provider, and its definitions by full type name. */
interface Registered {
  readonly definition: ProviderDefinition;
  readonly resource: ByType<ResourceDefinition>;
  readonly dataSource: ByType<DataSourceDefinition>;
  /** The syntax of the paths of its kinds of references. */
  readonly paths: PathSyntaxes;
}

function configure(config: ValueObject, run: RunOptions, registered: Registered): ConfigureResponse {
  const { definition } = registered;
  const unknown = Object.keys(definition.attributes).filter((name) => !isWhollyKnown(config[name] ?? null));
  const isConnected = unknown.length === 0;
  try {
    const connection = isConnected ? definition.connect(config, run) : deferredClient(unknown);
    const session = openSession(definition, connection, isConnected, run, shownBy(definition.dataSources));
    return { provider: connect(session, registered), diagnostics: [] };
  } catch (problem) {
    return { diagnostics: new Failures(definition.failureOf).toDiagnostics(problem) };
  }
}

/** The collections of which data sources show whole records. */
const shownBy = (dataSources: readonly DataSourceDefinition[]) =>
  dataSources.flatMap(({ shows = [] }) => shows);

const listedTypes = ({ name, resources }: ProviderDefinition): Record<string, ListedType> =>
  Object.fromEntries(
    resources.map(({ type, container, key }) => {
      const whole = resources.find(({ owns }) => owns?.entryTypes?.includes(type));
      return [
        `${name}_${type}`,
        { container, isSingle: key === undefined, ...(whole && { wholeType: `${name}_${whole.type}` }) },
      ];
    }),
  );

/** The types that own the same sets as one type, whole or by entry. */
const sharesWith = (
  { name, resources }: ProviderDefinition,
  { type, owns }: ResourceDefinition,
): string[] => {
  const owners = resources.filter((one) => one.owns?.entryTypes?.includes(type)).map((one) => one.type);
  return [...(owns?.entryTypes ?? []), ...owners].map((one) => `${name}_${one}`);
};

function connect(
  session: Session,
  { definition, resource, dataSource, paths }: Registered,
): ConfiguredProvider {
  const { connection } = session;
  const withIdentityOf =
    (type: string) =>
    <R extends { readonly state?: StoredState }>(response: R): R => {
      const { state } = response;
      const identified = withIdentity(resource(type), state);
      return identified === state ? response : { ...response, state: identified };
    };
  const identified = async <R extends { readonly state?: StoredState }>(
    { type }: { readonly type: string },
    response: Promise<R>,
  ): Promise<R> => withIdentityOf(type)(await response);
  const [access, rights] = [definition.describeAccess, definition.describeRights];
  return {
    ...(access && {
      describeAccess: (changes, options) => describeAccess(session, access, resource, changes, options),
    }),
    ...(rights && {
      describeRights: (changes) => describeRights(session, rights, resource, changes),
    }),
    ...(connection.rehearsing && {
      rehearse: async (request) => {
        const requests: PlannedRequest[] = [];
        const api = connection.rehearsing!((change) => void requests.push(change));
        const { diagnostics } = await applyResource(resource(request.type), { ...session, api }, request);
        return { requests, diagnostics: requests.length > 0 ? [] : diagnostics };
      },
    }),
    expectReads: (objects, sources) => {
      for (const { type, id } of objects) {
        session.expected.add(resource(type), parseId(id).container);
        session.expected.hold(resource(type), id);
      }
      session.collections.willShow(shownBy(sources.map(dataSource)));
    },
    ...(session.isConnected && { service: connection.address }),
    claim: (request) => {
      session.lookups.learn(References.rememberedBy(request.private));
      return claimOwnership(resource(request.type), session, request);
    },
    owns: (request) => ownedShares(resource(request.type), session, request),
    sharesWith: (type) => sharesWith(definition, resource(type)),
    // A question without the user is better than none.
    currentUser: async () =>
      definition.currentUser?.(connection.client).catch((problem: unknown) => {
        session.failures.throwUnlessFailure(problem);
        return undefined;
      }),
    containerOf: (type, attributes) => containerOf(resource(type), session, definition, attributes),
    learnContainer: (type, attributes) => learnContainer(resource(type), session, definition, attributes),
    identify: (request) => identify(resource(request.type), session, request),
    readResource: (request) => {
      const answer = readResource(resource(request.type), session, request);
      // A state that stayed as it was has its identity.
      const isAsBefore = !(answer instanceof Promise) && answer.state === request.state;
      if (isAsBefore && answer.diagnostics.length === 0) return answer;
      return whenKnown(answer, withIdentityOf(request.type)<StateResponse>);
    },
    declaredIn: (state) => References.declaredIn(state.private),
    planResource: (request) => {
      const definition = resource(request.type);
      return whenKnown(planResource(definition, session, request), (plan): PlanResponse => {
        const { planned } = plan;
        if (planned === undefined || planned === request.prior) return plan;
        const { attributes, identity } = request.prior ?? {};
        const isAsBefore = identity !== undefined && planned.attributes === attributes;
        return {
          ...plan,
          planned: isAsBefore ? { ...planned, identity } : withIdentity(definition, planned),
        };
      });
    },
    isUnchanged: (request) => claimIfStays(resource(request.type), session, request)?.length === 0,
    replacedValues: (request) => replacedValues(resource(request.type), session, request),
    planDestroy: (request) => planDestroy(resource(request.type), session, request),
    checkRights: async (changes) => {
      if (!session.isConnected || definition.checkRights === undefined) return changes.map(() => []);
      const defined = changes.map((change) => ({ ...change, definition: resource(change.type) }));
      return definition.checkRights(connection.client, defined);
    },
    expectChanges: (staying, leaving) => expectChanges(session, resource, staying, leaving),
    applyResource: (request) => identified(request, applyResource(resource(request.type), session, request)),
    recoverResource: (request) =>
      identified(request, recoverResource(resource(request.type), session, request)),
    importResource: (request) => importResource(resource(request.type), session, request),
    findContainers: (selection, signal) => findContainers(session, definition, selection, signal),
    listResource: ({ type, within }) => listResource(resource(type), session, paths, within),
    coveredBy: (object) => coveredBy(resource(object.type), session, object),
    queryResource: ({ type, ...request }, signal) =>
      queryResource(definition, resource(type), session, paths, request, signal),
    readDataSource: ({ type, config }) =>
      readDataSource(dataSource(type), session, config, containerKinds(definition)),
    close: () => connection.close(),
  };
}
