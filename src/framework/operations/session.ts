import type { Diagnostic } from "../../diagnostics";
import type { PathSyntaxes } from "../../schema";
import { Collections } from "../collections/collections";
import { NOT_CACHED } from "../collections/listing";
import type { DataSourceDefinition, Reading, ResourceDefinition, Scope } from "../definition/definition";
import type { ProviderDefinition } from "../definition/provider-definition";
import { ServiceOwnership } from "../ownership/owners";
import type { Connection } from "../protocol/connection";
import { Failures } from "../protocol/failures";
import type { ObjectContainer, RunOptions } from "../protocol/protocol";
import { type KnownPaths, Lookups } from "../references/lookups";
import { ProvenByReading, SecondLooks } from "./contradictions";
import type { UnnormalizedNames } from "./unnormalized-names";

/**
 * Counts the objects of one type that the run will read in each container. This class also records the ids of objects in the
 * host's state.
 */
class ExpectedReads {
  /** The ids that the host has announced and that are not in `#held` yet. */
  readonly #announced: string[] = [];
  readonly #held = new Set<string>();
  readonly #counts = new Map<string, number>();

  hold(id: string): void {
    this.#announced.push(id);
  }

  /** Returns whether the host has announced this object as an object of its state. */
  isHeld(id: string): boolean {
    // Few runs call this method, so announced ids are moved to the set only when it is called.
    for (const one of this.#announced.splice(0)) this.#held.add(one);
    return this.#held.has(id);
  }

  /** Counts one more object that the run will read. `container` is an id; for an import, `container` can be a path. */
  add(container: number | string): void {
    this.#counts.set(String(container), (this.of(container) ?? 0) + 1);
  }

  of(container: number | string): number | undefined {
    return this.#counts.get(String(container));
  }
}

/** The data that all operations of one client share during one run. */
export interface Session extends Pick<ServiceOwnership, "owners" | "turns"> {
  /**
   * Whether the host keeps the plan of a whole run. Such a host finds moves itself, and recovers the pending changes of a killed
   * run. If false, Steward refuses a plan that destroys and declares one object. If false, Steward also adopts an existing object
   * that equals the declaration, because a killed run may have created the object.
   */
  readonly isPlanKept: boolean;
  /** The client that lifecycle functions use. */
  readonly api: unknown;
  readonly connection: Connection;
  readonly failures: Failures;
  readonly provider: ProviderDefinition;
  /** The syntax of paths for each kind of reference. */
  readonly paths: PathSyntaxes;
  /** Whether operations can send requests. False if the provider's own configuration contains unknown values. */
  readonly isConnected: boolean;
  readonly lookups: Lookups;
  readonly collections: Collections;
  readonly secondLooks: SecondLooks;
  readonly provenByReading: ProvenByReading;
  /** The objects that this run has imported, as texts `type id`. */
  readonly imported: Set<string>;
  /** The errors about declared paths that now mean another object, by kind and path. */
  readonly disputes: Map<string, Diagnostic>;
  /** The causes of the path warnings that this run has already reported. */
  readonly announced: Set<string>;
  /** The rights of the token that this run has read; undefined for a run without an apply. */
  readonly rights: Map<string, unknown> | undefined;
  /** The types and containers whose rights a plan has already started to read. */
  readonly rightsRead: Set<string>;
  /** The limit of the access report that the host requests after its plan; undefined if it requests no report. */
  readonly access: RunOptions["access"];
  /** The number of requests that the plan has sent ahead for the access report, by kind and id of the container. */
  readonly accessAhead: Map<string, number>;
  /** Cached descriptions of containers, by kind, id and path. Thousands of objects in one container can use one description. */
  readonly containers: Map<string, ObjectContainer>;
}

/** Returns the client and the collections of a session, in the form that a provider's functions receive. */
export const readingOf = ({ api, collections }: Session): Reading => ({
  api,
  collection: (container, collection) => collections.of(container, collection),
});

/** The session of a run with the data for one resource type. */
export interface ResourceSession extends Session {
  readonly definition: ResourceDefinition;
  /** The full name of the resource type, such as `acme_thing`. */
  readonly type: string;
  readonly expected: ExpectedReads;
  /**
   * The live names that no declaration can contain, because they are not normalized. The key is the id of a container. The value
   * is undefined if the feature of the container is off.
   */
  readonly listed: Map<number, Promise<UnnormalizedNames | undefined>>;
  /**
   * The recorded ids of paths that no longer mean the recorded object. The outer key is a text of the values whose change
   * replaces the declared object. The inner key is the kind and path.
   */
  readonly unsettled: Map<string, Map<string, number>>;
}

export const resourceSession = (session: Session, definition: ResourceDefinition): ResourceSession => ({
  ...session,
  definition,
  type: `${session.provider.name}_${definition.type}`,
  expected: new ExpectedReads(),
  listed: new Map(),
  unsettled: new Map(),
});

/**
 * Returns a new object that has `parts` and inherits all other properties from `base`. A plan needs thousands of such objects,
 * and copying 30 properties would take 50 times as long as inheriting them.
 */
export const extended = <S extends object, P extends object>(base: S, parts: P): Omit<S, keyof P> & P =>
  Object.assign(Object.create(base), parts);

/** The parts of a session that resolve references in objects of one type. */
export interface ReferenceSource {
  readonly definition: ResourceDefinition;
  readonly lookups: KnownPaths;
}

/** Returns the collections from which these data sources return whole records. */
export const shownBy = (dataSources: readonly DataSourceDefinition[]) =>
  dataSources.flatMap(({ shows = [] }) => shows);

/** Starts a run with empty caches. */
export function openSession(
  provider: ProviderDefinition,
  connection: Connection,
  isConnected: boolean,
  { host = "steward", ownership, rights, access }: RunOptions,
): Session {
  const failures = new Failures(provider.failureOf);
  const { knownPaths, owners, turns } =
    (isConnected ? ownership?.of(connection.address) : undefined) ?? new ServiceOwnership();
  const reach = { api: connection.client, failures };
  return {
    owners,
    turns,
    isPlanKept: host === "steward",
    api: connection.client,
    connection,
    failures,
    provider,
    paths: pathsOf(provider),
    isConnected,
    lookups: new Lookups(reach, provider, knownPaths),
    collections: new Collections(reach, shownBy(provider.dataSources)),
    secondLooks: new SecondLooks(connection.pause?.bind(connection)),
    provenByReading: new ProvenByReading(),
    imported: new Set(),
    disputes: new Map(),
    announced: new Set(),
    rights,
    rightsRead: new Set(),
    access,
    accessAhead: new Map(),
    containers: new Map(),
  };
}

/** Returns the syntax of paths for each kind of object to which references can refer. */
export const pathsOf = ({ kinds }: Pick<ProviderDefinition, "kinds">): PathSyntaxes =>
  Object.fromEntries(Object.entries(kinds).map(([name, { path }]) => [name, path]));

/** The scope of one container. `collection` returns the view of a collection that lifecycle functions read. */
class ContainerScope implements Scope {
  readonly #session: ResourceSession;
  readonly expected: number | undefined;

  constructor(
    session: ResourceSession,
    readonly container: number,
    readonly collection: Scope["collection"],
    readonly api: unknown = session.api,
  ) {
    this.#session = session;
    this.expected = session.expected.of(container);
  }

  get name(): string {
    const { lookups, definition } = this.#session;
    return lookups.nameOf(definition.container, this.container);
  }
}

/**
 * Returns the scope for lifecycle functions in one container. With `since`, the scope ignores records that were requested before
 * this time of `performance.now()`.
 */
export const scopeOf = (session: ResourceSession, container: number, since?: number): Scope =>
  new ContainerScope(session, container, (collection) => {
    const live = session.collections.of(container, collection);
    return since === undefined ? live : live.asOf(since);
  });

/**
 * Returns the scope in which a lifecycle function confirms that an object is missing. If a list lacks a record, the scope
 * requests this record, or reads the list again.
 */
export const confirmingScope = (session: ResourceSession, container: number, since?: number): Scope =>
  new ContainerScope(session, container, (collection) =>
    session.collections.of(container, collection).confirming(since),
  );

/**
 * Returns the scope for listing the objects of a container. If records can move between pages during a read, the scope reads the
 * list twice, because one read can miss an existing object.
 */
export const listingScope = (session: ResourceSession, container: number): Scope =>
  new ContainerScope(session, container, (collection) =>
    session.collections.of(container, collection).complete(),
  );

/**
 * Returns the scope that uses only records that the run has already read. If a request is necessary, the scope throws
 * `NOT_CACHED`.
 */
export const knownScope = (session: ResourceSession, container: number): Scope =>
  new ContainerScope(
    session,
    container,
    (collection) => session.collections.of(container, collection).asKnown(),
    SILENT,
  );

const SILENT = new Proxy(
  {},
  {
    get: () => {
      throw NOT_CACHED;
    },
  },
);
