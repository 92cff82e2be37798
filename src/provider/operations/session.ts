import type { Client } from "../../api";
import { Claims } from "../claims";
import { type AnyCollection, Collections } from "../collections";
import type { ResourceDefinition, Scope } from "../definition";
import { Departures } from "../departures";
import { Holdings } from "../holdings";
import { HOSTS, type Host } from "../hosts";
import { type KnownPaths, Lookups } from "../lookups";
import type { RunOptions, StoredState } from "../protocol";
import { References } from "../references";
import { Expectations } from "./expectations";

/** What all operations of one configured client share during one run. */
export interface Session {
  /** Who asks. */
  readonly host: Host;
  readonly api: Client;
  /** Whether anything can be asked of the service: not while the provider's own configuration is known in part only. */
  readonly isConnected: boolean;
  readonly lookups: Lookups;
  readonly collections: Collections;
  readonly claims: Claims;
  readonly departures: Departures;
  readonly holdings: Holdings;
  /** What was imported in this run, as `type id`. */
  readonly imported: Set<string>;
  readonly expected: Expectations;
}

/** Begins a run: nothing was read yet, and nothing is claimed. Whole records may be `shown`. */
export const openSession = (
  api: Client,
  isConnected: boolean,
  { host = "steward" }: RunOptions,
  shown: readonly AnyCollection[],
): Session => ({
  host: HOSTS[host],
  api,
  isConnected,
  lookups: new Lookups(api),
  collections: new Collections(shown),
  claims: new Claims(),
  departures: new Departures(),
  holdings: new Holdings(),
  imported: new Set(),
  expected: new Expectations(),
});

/** An object's place: its container's id, and its key within the container ("" where the container has one only). */
export interface Identity {
  readonly container: number;
  readonly key: string;
}

/** Writes an id as it stands in the state and as import takes it: `42`, `42:production`. */
export const formatId = ({ container, key }: Identity): string =>
  key === "" ? String(container) : `${container}:${key}`;

/** Reads an id of the state. The key may itself hold colons. */
export function parseId(id: string): Identity {
  const colon = id.indexOf(":");
  return colon < 0
    ? { container: Number(id), key: "" }
    : { container: Number(id.slice(0, colon)), key: id.slice(colon + 1) };
}

/** The place of an object that a state holds. */
export const identityOf = ({ attributes }: StoredState): Identity => parseId(String(attributes["id"]));

/**
 * The scope in which a lifecycle works on one container. With `since`, nothing is told there that was asked for before
 * that moment, by the clock of `performance.now()`.
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
    const live = session.collections.of(session.api, container, collection);
    return since === undefined ? live : live.asOf(since);
  },
});

/** The references of an object: what its state remembers, and its container, whose id begins the object's own. */
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
