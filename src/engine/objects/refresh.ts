import type { Diagnostic } from "../../diagnostics";
import {
  type ConfiguredProvider,
  continueWith,
  type ExpectedRead,
  type Resolution,
  type StoredState,
  withRecovery,
} from "../../framework";
import { once } from "../../schema";
import type { ResourceChange } from "../results/plan";
import type { StackRun } from "../stack-run/stack-run";
import { at, constructOf, isCurrent, nameOf, type StateObject, storedState, upgraded } from "./objects";

/** An object before and after its refresh. */
export interface Refreshed {
  readonly object: StateObject;
  /** The object in the state, upgraded to the current schema. */
  readonly before: StoredState;
  /** The live object; undefined if it no longer exists. */
  readonly live: StoredState | undefined;
  /** The import, if the state did not hold the object before. */
  readonly importing?: NonNullable<ResourceChange["importing"]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** An object that may be unchanged, because a read found no difference to the state, or because its record may be in memory. */
export interface UnchangedCandidate {
  readonly object: StateObject;
  readonly before: StoredState;
  /** Whether the object was read and equals the state. */
  readonly isRead: boolean;
}

/** Returns true if the records in memory show that an object is unchanged. An unchanged object is not read. */
export type UnchangedTest = (standing: UnchangedCandidate) => boolean;

/** A read that an object waits for. */
export interface Pending {
  readonly ended: Promise<unknown>;
  readonly isShared: boolean;
}

/** The first read of a collection. */
interface Leading {
  readonly followers: Reading[];
  readonly ended: Promise<void>;
  /** True once the first read has ended. The other objects of the collection can then be read. */
  hasEnded: boolean;
}

/**
 * A read of an object. The read starts at once, or waits for the first read of the object's collection. A waiting read
 * starts after the first read, or when a caller needs the object.
 */
class Reading implements UnchangedCandidate, ExpectedRead {
  readonly isRead: boolean = false;
  /** The first read of the collection, for an object that waits for it. */
  leading: Leading | undefined = undefined;

  constructor(
    readonly object: StateObject,
    readonly before: StoredState,
  ) {}

  get type(): string {
    return this.object.resource.type;
  }

  get id(): string {
    return String(this.before.attributes["id"]);
  }
}

/** Stores the first read of each collection. A collection contains the objects of one type in one container. */
class Places {
  readonly #leading = new Map<string, Map<string, Leading>>();

  constructor(private readonly provider: Pick<ConfiguredProvider, "containerIdOf">) {}

  /** Returns the first read of an object's collection. */
  of({ type, id }: Reading): Leading | undefined {
    return this.#leading.get(type)?.get(this.#containerOf(type, id));
  }

  lead({ type, id }: Reading, leading: Leading): void {
    once(this.#leading, type, () => new Map<string, Leading>()).set(this.#containerOf(type, id), leading);
  }

  #containerOf(type: string, id: string): string {
    return this.provider.containerIdOf?.(type, id) ?? id;
  }
}

/**
 * Returns the given result. If the result is a rejected promise, the rejection does not end the process before the
 * consumer awaits the result.
 */
function handled<T>(result: Resolution<T>): Resolution<T> {
  if (result instanceof Promise) result.catch(() => undefined);
  return result;
}

/**
 * Refreshes the objects of a state. All reads of a provider start as soon as the provider is configured, and do not follow the
 * order of declarations. Reads of the same collection therefore share requests.
 */
export class Refresher {
  readonly #results = new Map<string, Resolution<Refreshed> | Reading>();
  #isUnchanged: UnchangedTest | undefined;
  #done = 0;
  #isReadingOthers = false;

  constructor(
    private readonly run: StackRun,
    private objects: readonly StateObject[],
  ) {}

  /**
   * Starts the reads of all objects of a provider configuration.
   *
   * @param isUnchanged decides whether an object is unchanged, after the first read of its collection; not used if each read
   * has an event
   */
  start(provider: string, isUnchanged?: UnchangedTest): void {
    const { announcesReads = true } = this.run.context;
    this.#isUnchanged = announcesReads ? undefined : isUnchanged;
    const toRead: Reading[] = [];
    for (const object of this.objects) {
      if (object.provider !== provider || (this.#results.size > 0 && this.#results.has(nameOf(object))))
        continue;
      if (this.run.leftOut?.has(object.address)) continue;
      const found = this.#prepare(object);
      if (found instanceof Reading) toRead.push(found);
      else this.#results.set(nameOf(object), found);
    }
    if (toRead.length > 0) this.run.expectReads(provider, toRead);
    const places = new Places(this.run.configured(provider));
    for (const reading of toRead) this.#start(reading, places);
  }

  /**
   * Starts the read of an object. The first read of a collection makes the other objects of the collection wait. Most
   * of these objects then get their result at once, without a separate promise.
   */
  #start(reading: Reading, places: Places): void {
    const { object } = reading;
    const name = nameOf(object);
    this.#announce("refresh_start", object, reading.before);
    const leader = places.of(reading);
    if (leader !== undefined) {
      reading.leading = leader;
      leader.followers.push(reading);
      this.#results.set(name, reading);
      return;
    }
    const result = this.#read(object);
    this.#results.set(name, result);
    if (!(result instanceof Promise)) return;
    const keep = (refreshed: Refreshed) => {
      if (this.#results.get(name) === result) this.#results.set(name, refreshed);
    };
    result.then(keep, () => undefined);
    const readOthers = () => this.#readOthers(first);
    const first: Leading = { followers: [], ended: result.then(readOthers, readOthers), hasEnded: false };
    places.lead(reading, first);
  }

  /**
   * Reads the other objects of a collection, except unchanged objects. If the records are in memory, each object is read when a
   * caller needs it.
   */
  #readOthers(leading: Leading): void {
    const done = this.#done;
    this.#isReadingOthers = true;
    leading.hasEnded = true;
    const { announcesReads = true } = this.run.context;
    let isInMemory = false;
    for (const follower of leading.followers) {
      if (this.#isUnchanged?.(follower)) isInMemory = true;
      else if (!isInMemory) {
        const result = this.#read(follower.object);
        this.#results.set(nameOf(follower.object), result);
        isInMemory = !announcesReads && !(result instanceof Promise);
        continue;
      }
      this.#done += 1;
    }
    this.#isReadingOthers = false;
    if (this.#done > done) this.#tellProgress();
  }

  /** Reads an object whose progress was already reported. */
  #readQuietly(name: string, { object }: Reading): Resolution<Refreshed> {
    this.#isReadingOthers = true;
    this.#done -= 1;
    const read = this.#read(object);
    this.#results.set(name, read);
    this.#isReadingOthers = false;
    return read;
  }

  /**
   * Returns the result of an object's read, or a promise of this result; undefined if the object is not read.
   *
   * @param name the object's address, with the key if it is deposed
   */
  result(name: string): Resolution<Refreshed> | undefined {
    const result = this.#results.get(name);
    if (!(result instanceof Reading)) return result;
    const leading = result.leading!;
    return leading.hasEnded ? this.#readQuietly(name, result) : leading.ended.then(() => this.result(name)!);
  }

  /** Returns an object that was read and equals the state; undefined for any other object. */
  standing(name: string): UnchangedCandidate | undefined {
    const result = this.#results.get(name);
    if (result === undefined || result instanceof Promise || result instanceof Reading) return undefined;
    const { object, before, live, diagnostics } = result;
    return live === before && diagnostics.length === 0 ? { object, before, isRead: true } : undefined;
  }

  /**
   * Returns the promise for which an object waits: the object's own read, or the first read of the object's collection.
   * Many objects share the first read. Undefined if the object does not wait.
   */
  pending(name: string): Pending | undefined {
    const result = this.#results.get(name);
    if (result instanceof Promise) return { ended: result, isShared: false };
    if (!(result instanceof Reading) || result.leading!.hasEnded) return undefined;
    return { ended: result.leading!.ended, isShared: true };
  }

  /**
   * Registers moved objects under their new names, and keeps the results of their reads.
   *
   * @param moved the objects by their previous names
   */
  relocate(moved: ReadonlyMap<string, StateObject>): void {
    this.objects = this.objects.map((object) => moved.get(nameOf(object)) ?? object);
    const results = [...moved].map(([before, object]) => {
      const result = this.result(before);
      const now = result && continueWith(result, (refreshed) => ({ ...refreshed, object }));
      return [nameOf(object), now && handled(now)] as const;
    });
    for (const before of moved.keys()) this.#results.delete(before);
    for (const [now, result] of results) if (result !== undefined) this.#results.set(now, result);
  }

  #read(object: StateObject): Resolution<Refreshed> {
    const { before } = upgraded(this.run, object);
    const read = () =>
      this.run.configured(object.provider).readResource({ type: object.resource.type, state: before });
    const answer = withRecovery(read, (problem) => Promise.reject(problem));
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
    if (!this.#isReadingOthers) this.#tellProgress(object.address);
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

  /** Reports the progress of the refresh. Objects that are read from memory at the same time cause only one report. */
  #tellProgress(last?: string): void {
    const progress = { phase: "refresh", done: this.#done, total: this.objects.length, last } as const;
    this.run.context.onEvent?.({ kind: "progress", ...progress });
  }

  /** Returns the pending read of an object of the state, or its result if no read is needed. */
  #prepare(object: StateObject): Reading | Refreshed {
    const { context } = this.run;
    // Without a refresh, the plan uses the values in the state.
    const isEnabled = context.refresh !== false && !context.stop?.aborted;
    const isRead = isEnabled && context.recorded === undefined;
    // An object is upgraded before it is read, unless it already has the current schemas.
    if (isRead && isCurrent(this.run, object)) return new Reading(object, storedState(object.instance));
    const { before, isUpgraded, diagnostics } = upgraded(this.run, object);
    if (!isUpgraded || !isEnabled)
      return { object, before, live: before, diagnostics: this.#located(object, diagnostics) };
    const origin = this.run.previousAddresses.get(object.address) ?? object.address;
    const recorded = context.recorded?.object(object, origin, before);
    if (recorded === undefined) return new Reading(object, before);
    return { object, before, live: recorded, diagnostics: [] };
  }
}
