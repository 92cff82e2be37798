import type { Diagnostic } from "../diagnostics";
import { idAttribute } from "./attributes";
import { clientFor, providerAttributes, unknownIn } from "./configuration";
import type { DataSourceDefinition, ResourceDefinition } from "./definition";
import { applyResource } from "./operations/apply-resource";
import { checkRights } from "./operations/check-rights";
import { expectChanges } from "./operations/hold";
import { identify } from "./operations/identify";
import { importIdFormat, importResource } from "./operations/import-resource";
import { listResource } from "./operations/list-resource";
import { listUndeclared } from "./operations/list-undeclared";
import { moveResource } from "./operations/move-resource";
import { ownedShares } from "./operations/owned-shares";
import { planDestroy } from "./operations/plan-destroy";
import { planResource } from "./operations/plan-resource";
import { readDataSource } from "./operations/read-data-source";
import { readResource } from "./operations/read-resource";
import { recoverResource } from "./operations/recover-resource";
import { openSession, parseId, type Session } from "./operations/session";
import { requireUpgrades, upgradeResource } from "./operations/upgrade-resource";
import { toDiagnostics } from "./problems";
import type { ConfiguredProvider, ConfigureResponse, Provider, RunOptions } from "./protocol";
import { DATA_SOURCES, RESOURCES } from "./registry";
import {
  type Attributes,
  type ProviderSchema,
  type Schema,
  type ValueObject,
  validateAttributes,
} from "./schema";
import { unconnectedClient } from "./unconnected";

/** The name that all types begin with. */
export const PROVIDER_NAME = "steward";
export const PROVIDER_SOURCE = "registry.steward.example/steward/steward";

/** The provider: every registered resource and data source behind the interface that hosts see. */
export function createProvider(
  resources: readonly ResourceDefinition[] = RESOURCES,
  dataSources: readonly DataSourceDefinition[] = DATA_SOURCES,
): Provider {
  for (const definition of resources) requireUpgrades(definition);
  const resource = byType(resources);
  const dataSource = byType(dataSources);
  const schema = schemaOf(resources, dataSources);
  const registered = { resources, resource, dataSources, dataSource };
  return {
    schema,
    validateProvider: (config) => validateAttributes(providerAttributes, config),
    validateResource: (type, config) => validate(schema.resources[type]!, resource(type), config),
    validateDataSource: (type, config) => validate(schema.dataSources[type]!, dataSource(type), config),
    upgradeResource: (type, version, attributes) => upgradeResource(resource(type), version, attributes),
    moveResource: (request) => moveResource(resource(request.type), request),
    configure: (config, run) => configure(config, run, registered),
  };
}

function validate(
  { attributes }: Schema,
  { validate: rules }: Pick<DataSourceDefinition, "validate">,
  config: ValueObject,
): readonly Diagnostic[] {
  const found = validateAttributes(attributes, config);
  return found.length > 0 ? found : (rules?.(config) ?? []);
}

type ByType<T> = (type: string) => T;

function byType<T extends { readonly type: string }>(definitions: readonly T[]): ByType<T> {
  const all = new Map(definitions.map((definition) => [`${PROVIDER_NAME}_${definition.type}`, definition]));
  return (type) => {
    const definition = all.get(type);
    if (definition === undefined)
      throw new Error(`The host asked for ${type}, which is not in the provider's schema.`);
    return definition;
  };
}

function schemaOf(
  resources: readonly ResourceDefinition[],
  dataSources: readonly DataSourceDefinition[],
): ProviderSchema {
  const named = <T extends { type: string }, U>(definitions: readonly T[], schema: (definition: T) => U) =>
    Object.fromEntries(
      definitions.map((definition) => [`${PROVIDER_NAME}_${definition.type}`, schema(definition)]),
    );
  return {
    source: PROVIDER_SOURCE,
    provider: {
      version: 0,
      description: "Project settings of a source-hosting and CI/CD platform.",
      attributes: providerAttributes,
    },
    resources: named(resources, (definition) => ({
      version: definition.version,
      description: definition.description,
      attributes: { id: idAttribute(importIdFormat(definition)), ...definition.attributes } as Attributes,
    })),
    dataSources: named(dataSources, ({ description, attributes }) => ({
      version: 0,
      description,
      attributes,
    })),
  };
}

/** What a provider was made of. */
interface Registered {
  readonly resources: readonly ResourceDefinition[];
  readonly resource: ByType<ResourceDefinition>;
  readonly dataSources: readonly DataSourceDefinition[];
  readonly dataSource: ByType<DataSourceDefinition>;
}

function configure(config: ValueObject, run: RunOptions, registered: Registered): ConfigureResponse {
  const unknown = unknownIn(config);
  try {
    const api = unknown.length === 0 ? clientFor(config, run) : unconnectedClient(unknown);
    const session = openSession(api, unknown.length === 0, run, shownBy(registered.dataSources));
    return { provider: connect(session, registered), diagnostics: [] };
  } catch (problem) {
    return { diagnostics: toDiagnostics(problem) };
  }
}

/** The collections of which data sources show whole records. */
const shownBy = (dataSources: readonly DataSourceDefinition[]) =>
  dataSources.flatMap(({ shows = [] }) => shows);

/** The types that own the whole, or entries, of the same sets as one type does. */
const sharesWith = (all: readonly ResourceDefinition[], { type, entryTypes = [] }: ResourceDefinition) =>
  [...entryTypes, ...all.filter((one) => one.entryTypes?.includes(type)).map((one) => one.type)].map(
    (name) => `steward_${name}`,
  );

function connect(session: Session, { resources, resource, dataSource }: Registered): ConfiguredProvider {
  return {
    expectReads: (objects, sources) => {
      for (const { type, id } of objects) {
        session.expected.add(resource(type), parseId(id).container);
        session.expected.hold(resource(type), id);
      }
      session.collections.willShow(shownBy(sources.map(dataSource)));
    },
    ...(session.isConnected && { service: session.api.address }),
    owns: (request) => ownedShares(resource(request.type), session, request),
    sharesWith: (type) => sharesWith(resources, resource(type)),
    identify: (request) => identify(resource(request.type), session, request),
    readResource: (request) => readResource(resource(request.type), session, request),
    planResource: (request) => planResource(resource(request.type), session, request),
    planDestroy: (request) => planDestroy(resource(request.type), session, request),
    checkRights: (changes) => checkRights(session, resource, changes),
    expectChanges: (staying, leaving) => expectChanges(session, resource, staying, leaving),
    applyResource: (request) => applyResource(resource(request.type), session, request),
    recoverResource: (request) => recoverResource(resource(request.type), session, request),
    importResource: ({ type, id }) => importResource(resource(type), session, id),
    listResource: ({ type, within }) => listResource(resource(type), session, within),
    listUndeclared: ({ declared }) => listUndeclared(session, resources, resource, declared),
    readDataSource: ({ type, config }) => readDataSource(dataSource(type), session, config),
    close: () => session.api.close(),
  };
}
