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
 * Counts the objects of one type that the run will read in each container. It also records which objects the host
 * has announced as parts of its state.
 */
class ExpectedReads {
  /** The ids that the host has announced, and that are not in `#held` yet. */
  readonly #announced: string[] = [];
  readonly #held = new Set<string>();
  readonly #counts = new Map<string, number>();

  hold(id: string): void {
    this.#announced.push(id);
  }

  /** Returns whether the host has announced this object as a part of its state. */
  isHeld(id: string): boolean {
    // Few runs call this method, so the announced ids are added to the set only on demand.
    for (const one of this.#announced.splice(0)) this.#held.add(one);
    return this.#held.has(id);
  }

  /** Counts one more object that the run will read. `container` is an id, or the path in an import. */
  add(container: number | string): void {
    this.#counts.set(String(container), (this.of(container) ?? 0) + 1);
  }

  of(container: number | string): number | undefined {
    return this.#counts.get(String(container));
  }
}

/** The state that all operations of one configured client share during one run. */
export interface Session extends Pick<ServiceOwnership, "owners" | "turns"> {
  /**
   * Whether the host keeps the plan of a whole run. Such a host finds moves itself, and recovers the pending
   * changes of a killed run. For other hosts, Steward refuses a plan that destroys and declares the same object.
   * For them, it also adopts an existing object that equals the declaration, because a killed run may have created
   * the object.
   */
  readonly isPlanKept: boolean;
  /** The client that lifecycle functions use. */
  readonly api: unknown;
  readonly connection: Connection;
  readonly failures: Failures;
  readonly provider: ProviderDefinition;
  /** The syntax of paths, by kind of reference. */
  readonly paths: PathSyntaxes;
  /** Whether requests can be sent. They can't while the provider's own configuration is partly unknown. */
  readonly isConnected: boolean;
  readonly lookups: Lookups;
  readonly collections: Collections;
  readonly secondLooks: SecondLooks;
  readonly provenByReading: ProvenByReading;
  /** Objects imported in this run, as `type id`. */
  readonly imported: Set<string>;
  /** The errors about declared paths that now belong to another object, by kind and path. */
  readonly disputes: Map<string, Diagnostic>;
  /** The causes of warnings about paths. This run has already reported each of these warnings. */
  readonly announced: Set<string>;
  /** The token's rights, as far as clients of the run have read them; undefined for a run that applies nothing. */
  readonly rights: Map<string, unknown> | undefined;
  /** The types and containers for which a plan has already started to read the rights. */
  readonly rightsRead: Set<string>;
  /**
   * The limit of the access report that the host requests after its plan. It is undefined if the host requests no
   * report.
   */
  readonly access: RunOptions["access"];
  /** The number of requests that the plan has already sent for the access report, by kind and id of the container. */
  readonly accessAhead: Map<string, number>;
  /**
   * Cached descriptions of containers, by kind, id and path. A container may have thousands of objects that need
   * the same description.
   */
  readonly containers: Map<string, ObjectContainer>;
}

/** Returns the client and the collections of a session, in the form that a provider's functions receive. */
export const readingOf = ({ api, collections }: Session): Reading => ({
  api,
  collection: (container, collection) => collections.of(container, collection),
});

/** The session of a run, with the parts that belong to one resource type. */
export interface ResourceSession extends Session {
  readonly definition: ResourceDefinition;
  /** The full name of the type: `acme_thing`. */
  readonly type: string;
  readonly expected: ExpectedReads;
  /**
   * The live names that no declaration can contain, because they are not normalized. The key is the container; the
   * value is undefined if the feature of the container is off.
   */
  readonly listed: Map<number, Promise<UnnormalizedNames | undefined>>;
  /**
   * The recorded ids of paths that no longer belong to the same object. The key is the text of the values whose
   * change replaces the declared object.
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
 * Returns a new object that has `parts`, and inherits all other properties from `base`. A plan does this for
 * thousands of resources, and a copy of 30 properties takes 50 times as long.
 */
export const extended = <S extends object, P extends object>(base: S, parts: P): Omit<S, keyof P> & P =>
  Object.assign(Object.create(base), parts);

/** The parts of a session that are needed to resolve the references of objects of one type. */
export interface ReferenceSource {
  readonly definition: ResourceDefinition;
  readonly lookups: KnownPaths;
}

/** Returns the collections that these data sources show with whole records. */
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

/** Returns the syntax of paths for each kind of object that references can name. */
export const pathsOf = ({ kinds }: Pick<ProviderDefinition, "kinds">): PathSyntaxes =>
  Object.fromEntries(Object.entries(kinds).map(([name, { path }]) => [name, path]));

/** The scope of one container. `collection` decides which view of a collection the lifecycle functions read. */
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
 * Returns the scope for lifecycle functions in one container. With `since`, it ignores records that were requested
 * before that time of `performance.now()`.
 */
export const scopeOf = (session: ResourceSession, container: number, since?: number): Scope =>
  new ContainerScope(session, container, (collection) => {
    const live = session.collections.of(container, collection);
    return since === undefined ? live : live.asOf(since);
  });

/**
 * Returns the scope in which a lifecycle function confirms that an object is missing. If a list does not contain a
 * record, the scope requests the single record, or reads the list again.
 */
export const confirmingScope = (session: ResourceSession, container: number, since?: number): Scope =>
  new ContainerScope(session, container, (collection) =>
    session.collections.of(container, collection).confirming(since),
  );

/**
 * Returns the scope for listing the objects of a container. If records can move between pages while a list is
 * read, one read may miss an existing object. The scope reads such a list twice.
 */
export const listingScope = (session: ResourceSession, container: number): Scope =>
  new ContainerScope(session, container, (collection) =>
    session.collections.of(container, collection).complete(),
  );

/**
 * Returns the scope that uses only records that the run has already read. Where a request would be needed, it
 * throws `NOT_CACHED`.
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
