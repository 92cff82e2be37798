import { once } from "../../schema";
import { Collections } from "../collections/collections";
import type { AnyCollection } from "../collections/live-collection";
import type { ResourceDefinition, Scope } from "../definition/definition";
import type { ProviderDefinition } from "../definition/provider-definition";
import type { OwnershipRegistry } from "../ownership/ownership";
import { type HeldObjects, type PlannedDestroys, ServiceOwnership } from "../ownership/shared-ownership";
import { type Connection, HOSTS, type HostCapabilities } from "../protocol/connection";
import { Failures } from "../protocol/failures";
import type { ObjectContainer, RunOptions, StoredState } from "../protocol/protocol";
import { type KnownPaths, type LookupRules, Lookups } from "../references/lookups";
import { References } from "../references/references";
import type { UnnormalizedNames } from "./unnormalized-names";

/**
 * How many objects of one type and container the run will read, and which of them are in the state, as far as
 * it is known.
 */
class ExpectedReads {
  /** By type: every object asks, and a text for each pair would have to be made and hashed. */
  readonly #types = new Map<string, ExpectedOfType>();

  /** Whether the host's state contains this object, as far as it announced it. */
  hold(definition: ResourceDefinition, id: string): void {
    this.#of(definition).announced.push(id);
  }

  isHeld(definition: ResourceDefinition, id: string): boolean {
    const { announced, held } = this.#of(definition);
    // Few runs ask.
    for (const one of announced.splice(0)) held.add(one);
    return held.has(id);
  }

  /** The number of objects that the run will read; `container` is an id, or the path that an import gives. */
  add(definition: ResourceDefinition, container: number | string): void {
    const { counts } = this.#of(definition);
    const place = String(container);
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }

  of(definition: ResourceDefinition, container: number | string): number | undefined {
    return this.#of(definition).counts.get(String(container));
  }

  #of({ type }: ResourceDefinition): ExpectedOfType {
    return once(this.#types, type, () => ({ announced: [], held: new Set(), counts: new Map() }));
  }
}

interface ExpectedOfType {
  /** Ids that are not among `held` yet. */
  readonly announced: string[];
  readonly held: Set<string>;
  readonly counts: Map<string, number>;
}

/** The state that all operations of one configured client share during one run. */
export interface Session {
  /** The host. */
  readonly host: HostCapabilities;
  /** The client of the lifecycles. */
  readonly api: unknown;
  readonly connection: Connection;
  readonly failures: Failures;
  /** The full name of a resource's type: `acme_thing`. */
  typeOf(definition: Pick<ResourceDefinition, "type">): string;
  /** Whether requests can be sent: not while the provider's own configuration is partly unknown. */
  readonly isConnected: boolean;
  /** The name of the role that changing objects of a resource needs, where the provider says it. */
  neededRole(definition: ResourceDefinition): string | undefined;
  /** Why the service drops elements of sets, where the provider says it. */
  readonly whyDropped: string | undefined;
  readonly lookups: Lookups;
  readonly collections: Collections;
  /** Shared by all clients of the service in the run, as `departures` and `holdings` are. */
  readonly claims: OwnershipRegistry;
  readonly departures: PlannedDestroys;
  readonly holdings: HeldObjects;
  /** Objects imported in this run, as `type id`. */
  readonly imported: Set<string>;
  readonly expected: ExpectedReads;
  /** Descriptions of containers, by kind, id and path: thousands of objects are in each. */
  readonly containers: Map<string, ObjectContainer>;
  /**
   * Of the lists in which plans looked for objects in the place of new ones, by type and container, the names that can't
   * be declared; undefined where the feature is off.
   */
  readonly listed: Map<string, Promise<UnnormalizedNames | undefined>>;
}

/** The parts of a provider that a session needs. */
type SessionRules = LookupRules &
  Pick<ProviderDefinition, "name" | "failureOf" | "neededRole" | "whyDropped">;

/** Starts a run with empty caches. Whole records of the `shown` collections are kept. */
export function openSession(
  rules: SessionRules,
  connection: Connection,
  isConnected: boolean,
  { host = "steward", ownership }: RunOptions,
  shown: readonly AnyCollection[],
): Session {
  const failures = new Failures(rules.failureOf);
  const { claims, departures, holdings, paths } =
    (isConnected ? ownership?.of(connection.address) : undefined) ?? new ServiceOwnership();
  const reach = { api: connection.client, failures };
  return {
    host: HOSTS[host],
    api: connection.client,
    connection,
    failures,
    typeOf: ({ type }) => `${rules.name}_${type}`,
    isConnected,
    neededRole: (definition) => rules.neededRole?.(definition),
    whyDropped: rules.whyDropped,
    lookups: new Lookups(reach, rules, paths),
    collections: new Collections(reach, shown),
    claims,
    departures,
    holdings,
    imported: new Set(),
    expected: new ExpectedReads(),
    containers: new Map(),
    listed: new Map(),
  };
}

/** An object's container id and its key within the container ("" if the container has only one). */
export interface Identity {
  readonly container: number;
  readonly key: string;
}

/** Formats an id for the state and for import: `42`, `42:production`. */
export const formatId = ({ container, key }: Identity): string =>
  key === "" ? String(container) : `${container}:${key}`;

/** Parses an id of the state. The key may contain colons. */
export function parseId(id: string): Identity {
  const colon = id.indexOf(":");
  return colon < 0
    ? { container: Number(id), key: "" }
    : { container: Number(id.slice(0, colon)), key: id.slice(colon + 1) };
}

/** The identity of an object in a state. */
export const identityOf = ({ attributes }: StoredState): Identity => parseId(String(attributes["id"]));

/**
 * The scope in which a lifecycle works on one container. With `since`, records that were requested before
 * that moment (of `performance.now()`) are ignored.
 */
export const scopeOf = (
  definition: ResourceDefinition,
  session: Session,
  container: number,
  since?: number,
): Scope => ({
  api: session.api,
  container,
  expected: session.expected.of(definition, container),
  collection(collection) {
    const live = session.collections.of(container, collection);
    return since === undefined ? live : live.asOf(since);
  },
});

/**
 * The references of an object: those remembered in its state, and its container, whose id starts the object's
 * own.
 */
export function referencesOf(
  { container }: ResourceDefinition,
  { lookups }: { readonly lookups: KnownPaths },
  state: StoredState | undefined,
): References {
  const references = new References(lookups, state?.private);
  const text = state?.attributes[container];
  if (state !== undefined && typeof text === "string") {
    references.learn(container, text, identityOf(state).container);
  }
  return references;
}
