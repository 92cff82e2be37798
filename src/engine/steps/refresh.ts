import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type ConfiguredProvider,
  type Provider,
  type Resolution,
  type StoredState,
  settle,
  whenKnown,
} from "../../framework";
import type { ValueObject } from "../../schema";
import type { InstanceState } from "../../state";
import type { ResourceChange } from "../model/plan";
import { at, constructOf, nameOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";

/** An object before and after its refresh. */
export interface Refreshed {
  readonly object: StateObject;
  /** The object in the state, upgraded to the current schema. */
  readonly before: StoredState;
  /** The live object; undefined if it no longer exists. */
  readonly live: StoredState | undefined;
  /** The import, if the state did not hold it before. */
  readonly importing?: NonNullable<ResourceChange["importing"]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** An object of a state under the current versions of its schemas; without attributes if one is newer. */
function upgradeInstance(
  provider: Provider,
  type: string,
  { schemaVersion, attributes, identity }: InstanceState,
): Partial<Pick<StoredState, "attributes" | "identity">> & { readonly diagnostics: readonly Diagnostic[] } {
  const upgraded = provider.upgradeResource(type, schemaVersion, attributes as ValueObject);
  if (identity === undefined || upgraded.attributes === undefined) return upgraded;
  const { version, values } = identity;
  if (provider.schema.resources[type]?.identity?.version === version)
    return {
      attributes: upgraded.attributes,
      identity: values as ValueObject,
      diagnostics: upgraded.diagnostics,
    };
  const identified = provider.upgradeIdentity?.(type, version, values as ValueObject) ?? { diagnostics: [] };
  return hasErrors(identified.diagnostics) ? identified : { ...upgraded, ...identified };
}

/** An object that stands as the state says, or that is read from memory when one asks. */
export interface Standing {
  readonly object: StateObject;
  readonly before: StoredState;
  readonly isRead: boolean;
}

/** The read of an object that begins when the first one of its collection was read. */
class Follower implements Standing {
  result: Resolution<Refreshed> | undefined;
  /** Reads it from memory; set when the first one was read. */
  begin: ((follower: Follower) => Resolution<Refreshed>) | undefined = undefined;
  readonly isRead: boolean = false;

  constructor(
    readonly object: StateObject,
    readonly before: StoredState,
    readonly ended: Promise<void>,
  ) {}

  get read(): Resolution<Refreshed> {
    if (this.result === undefined && this.begin !== undefined) this.result = this.begin(this);
    return this.result ?? this.ended.then(() => this.read);
  }
}

/** The first read of a collection, and those that follow when it has ended. */
interface Leading {
  readonly followers: Follower[];
  readonly ended: Promise<void>;
}

/** Ids begin with that of their container. */
function containerPart({ attributes }: StoredState): string {
  const id = String(attributes["id"]);
  const colon = id.indexOf(":");
  return colon < 0 ? id : id.slice(0, colon);
}

const rejected = (problem: unknown): Promise<never> => Promise.reject(problem);

/** The consumer may await a result later: an unhandled rejection must not end the process. */
function handled<T>(result: Resolution<T>): Resolution<T> {
  if (result instanceof Promise) result.catch(() => undefined);
  return result;
}

/**
 * Refreshes the objects of a state. All reads of a provider start as soon as it is configured, independent of
 * the order of declarations, so that reads of the same collection share requests.
 */
export class Refresher {
  readonly #results = new Map<string, Resolution<Refreshed> | Follower>();
  #done = 0;
  #isReadingOthers = false;

  constructor(
    private readonly run: StackRun,
    private objects: readonly StateObject[],
  ) {}

  /** Starts the reads of all objects of a provider configuration. */
  start(provider: string): void {
    const toRead: { readonly object: StateObject; readonly before: StoredState }[] = [];
    for (const object of this.objects) {
      if (object.provider !== provider || this.#results.has(nameOf(object))) continue;
      if (this.run.leftOut?.has(object.address)) continue;
      const { before, known } = this.#prepare(object);
      if (known === undefined) toRead.push({ object, before });
      else this.#results.set(nameOf(object), known);
    }
    if (toRead.length > 0)
      this.run.expectReads(
        provider,
        toRead.map(({ object: { resource, instance } }) => ({
          type: resource.type,
          id: String(instance.attributes["id"]),
        })),
      );
    const leading = new Map<string, Leading>();
    for (const { object, before } of toRead) this.#start(object, before, leading);
  }

  /**
   * Starts the read of an object. The first read of a collection makes the others wait: most of them are answered at once
   * then, without a promise for each.
   */
  #start(object: StateObject, before: StoredState, leading: Map<string, Leading>): void {
    this.#announce("refresh_start", object, before);
    const place = `${object.resource.type} ${containerPart(before)}`;
    const leader = leading.get(place);
    if (leader !== undefined) {
      const follower = new Follower(object, before, leader.ended);
      leader.followers.push(follower);
      this.#results.set(nameOf(object), follower);
      return;
    }
    const result = this.#read(object, before);
    this.#results.set(nameOf(object), result);
    if (!(result instanceof Promise)) return;
    const keep = (refreshed: Refreshed) => {
      if (this.#results.get(nameOf(object)) === result) this.#results.set(nameOf(object), refreshed);
    };
    result.then(keep, () => undefined);
    const followers: Follower[] = [];
    const readOthers = () => this.#readOthers(followers);
    leading.set(place, { followers, ended: result.then(readOthers, readOthers) });
  }

  /** Reads the others of a collection. If the first one is in memory, so are they: then each is read when one asks. */
  #readOthers(followers: readonly Follower[]): void {
    const done = this.#done;
    this.#isReadingOthers = true;
    const { announcesReads = true } = this.run.context;
    let isInMemory = false;
    const begin = ({ object, before }: Follower) => this.#readQuietly(object, before);
    for (const follower of followers) {
      if (isInMemory) {
        follower.begin = begin;
        this.#done += 1;
      } else {
        follower.result = this.#read(follower.object, follower.before);
        isInMemory = !announcesReads && !(follower.result instanceof Promise);
      }
    }
    this.#isReadingOthers = false;
    if (this.#done > done) this.#tellProgress();
  }

  /** Reads an object whose progress was told. */
  #readQuietly(object: StateObject, before: StoredState): Resolution<Refreshed> {
    this.#isReadingOthers = true;
    this.#done -= 1;
    const read = this.#read(object, before);
    this.#isReadingOthers = false;
    return read;
  }

  /** @param name the object's address, with the key if it is deposed */
  result(name: string): Resolution<Refreshed> | undefined {
    const result = this.#results.get(name);
    return result instanceof Follower ? result.read : result;
  }

  /** An object that was read and is as the state says, or that is read from memory when one asks. */
  standing(name: string): Standing | undefined {
    const read = this.#results.get(name);
    if (read instanceof Follower && read.result === undefined)
      return read.begin === undefined ? undefined : read;
    const result = read instanceof Follower ? read.result : read;
    if (result === undefined || result instanceof Promise || result.live !== result.before) return undefined;
    const { object, before, diagnostics } = result;
    return diagnostics.length > 0 ? undefined : { object, before, isRead: true };
  }

  /** The end of what has to be read before `standing` knows of an object; undefined if it knows already. */
  pending(name: string): Promise<unknown> | undefined {
    const read = this.#results.get(name);
    if (!(read instanceof Follower)) return read instanceof Promise ? read : undefined;
    return read.result === undefined && read.begin === undefined ? read.ended : undefined;
  }

  /** False if the state is used without a refresh. */
  get #isEnabled(): boolean {
    return this.run.context.refresh !== false;
  }

  /**
   * Updates moved objects.
   *
   * @param moved the objects by their previous names
   */
  relocate(moved: ReadonlyMap<string, StateObject>): void {
    this.objects = this.objects.map((object) => moved.get(nameOf(object)) ?? object);
    const results = [...moved].map(([before, object]) => {
      const result = this.result(before);
      const now =
        result === undefined ? undefined : whenKnown(result, (refreshed) => ({ ...refreshed, object }));
      return [nameOf(object), now && handled(now)] as const;
    });
    for (const before of moved.keys()) this.#results.delete(before);
    for (const [now, result] of results) if (result !== undefined) this.#results.set(now, result);
  }

  #read(object: StateObject, before: StoredState): Resolution<Refreshed> {
    const read = () =>
      this.run.configured(object.provider).readResource({ type: object.resource.type, state: before });
    const answer = settle(read, rejected);
    if (!(answer instanceof Promise)) return this.#refreshed(object, before, answer);
    return handled(answer.then((found) => this.#refreshed(object, before, found)));
  }

  #refreshed(
    object: StateObject,
    before: StoredState,
    { state, diagnostics }: Awaited<ReturnType<ConfiguredProvider["readResource"]>>,
  ): Refreshed {
    this.#announce("refresh_complete", object, before);
    this.#done += 1;
    if (!this.#isReadingOthers) this.#tellProgress();
    return { object, before, live: state, diagnostics: this.#located(object, diagnostics) };
  }

  #located({ address, resource }: StateObject, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    if (diagnostics.length === 0) return diagnostics;
    return at(diagnostics, address, constructOf(this.run.context.configuration, resource));
  }

  #announce(
    kind: "refresh_start" | "refresh_complete",
    { address, instance: { deposed } }: StateObject,
    { attributes }: StoredState,
  ): void {
    const { onEvent, announcesReads = true } = this.run.context;
    if (announcesReads)
      onEvent?.({ kind, address, id: String(attributes["id"]), ...(deposed !== undefined && { deposed }) });
  }

  /** Of objects that are read from memory together, once. */
  #tellProgress(): void {
    const progress = { phase: "refresh", done: this.#done, total: this.objects.length } as const;
    this.run.context.onEvent?.({ kind: "progress", ...progress });
  }

  /** The object of the state to read; the result where nothing is read. */
  #prepare(object: StateObject): { readonly before: StoredState; readonly known?: Refreshed } {
    const { context } = this.run;
    const { address, instance, resource, provider } = object;
    const upgraded = upgradeInstance(this.run.providerFor(provider)!, resource.type, instance);
    const before: { -readonly [K in keyof StoredState]: StoredState[K] } = {
      attributes: upgraded.attributes ?? (instance.attributes as ValueObject),
      private: instance.private,
    };
    if (upgraded.identity !== undefined) before.identity = upgraded.identity;
    if (upgraded.attributes === undefined || !this.#isEnabled || context.stop?.aborted) {
      const diagnostics = this.#located(object, upgraded.diagnostics);
      return { before, known: { object, before, live: before, diagnostics } };
    }
    const origin = this.run.previousAddresses.get(address) ?? address;
    const recorded = context.recorded?.object(object, origin, before);
    if (recorded === undefined) return { before };
    return { before, known: { object, before, live: recorded, diagnostics: [] } };
  }
}
