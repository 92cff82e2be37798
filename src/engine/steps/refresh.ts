import type { Diagnostic } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import { at, constructOf, nameOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";

/** One object before and after looking at the service. */
export interface Refreshed {
  readonly object: StateObject;
  /** What the state holds, in the shape of the present schema. */
  readonly before: StoredState;
  /** What is live; nothing where it is gone. */
  readonly live: StoredState | undefined;
  /** The id that it was imported by, where the state has not had it yet. */
  readonly importing?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the objects of a state. All reads of a provider configuration begin as soon as it is known, whatever the
 * order of declarations, so that collections are asked for at once.
 */
export class Refresher {
  readonly #run: StackRun;
  #objects: readonly StateObject[];
  readonly #results = new Map<string, Promise<Refreshed>>();
  #done = 0;

  constructor(run: StackRun, objects: readonly StateObject[]) {
    this.#run = run;
    this.#objects = objects;
  }

  /** Begins the reads of all objects of one provider configuration. */
  start(provider: string): void {
    const objects = this.#objects.filter(
      (object) => object.provider === provider && !this.#results.has(nameOf(object)),
    );
    if (objects.length === 0) return;
    if (this.#looks) {
      this.#run.expectReads(
        provider,
        objects.map(({ resource, instance }) => ({
          type: resource.type,
          id: String(instance.attributes["id"]),
        })),
      );
    }
    for (const object of objects) {
      const result = this.#read(object);
      // Whoever needs it awaits it; one that nobody comes to await must not end the process.
      result.catch(() => undefined);
      this.#results.set(nameOf(object), result);
    }
  }

  /** By the object's name: its address, with the key of a deposed one. */
  result(name: string): Promise<Refreshed> | undefined {
    return this.#results.get(name);
  }

  /** Without a refresh the state is taken as it stands. */
  get #looks(): boolean {
    return this.#run.context.refresh !== false;
  }

  /** Objects have other addresses by now: by the name that they had. */
  relocate(moved: ReadonlyMap<string, StateObject>): void {
    this.#objects = this.#objects.map((object) => moved.get(nameOf(object)) ?? object);
    const results = [...moved].map(([before, object]) => {
      const result = this.#results.get(before)?.then((refreshed) => ({ ...refreshed, object }));
      result?.catch(() => undefined);
      return [nameOf(object), result] as const;
    });
    for (const before of moved.keys()) this.#results.delete(before);
    for (const [now, result] of results) if (result !== undefined) this.#results.set(now, result);
  }

  async #read(object: StateObject): Promise<Refreshed> {
    const { context } = this.#run;
    const { address, instance, resource, provider } = object;
    const construct = constructOf(context.configuration, resource);
    const upgraded = this.#run
      .providerFor(provider)!
      .upgradeResource(resource.type, instance.schemaVersion, instance.attributes as ValueObject);
    const before = {
      attributes: upgraded.attributes ?? (instance.attributes as ValueObject),
      private: instance.private,
    };
    if (upgraded.attributes === undefined || !this.#looks || context.stop?.aborted) {
      return { object, before, live: before, diagnostics: at(upgraded.diagnostics, address, construct) };
    }
    const origin = this.#run.previousAddresses.get(address) ?? address;
    const recorded = context.recorded?.object(object, origin, before);
    if (recorded !== undefined) return { object, before, ...recorded };
    const id = String(before.attributes["id"]);
    const of = { address, id, ...(instance.deposed !== undefined && { deposed: instance.deposed }) };
    context.onEvent?.({ kind: "refresh_start", ...of });
    const { state, diagnostics } = await this.#run
      .configured(provider)
      .readResource({ type: resource.type, state: before });
    context.onEvent?.({ kind: "refresh_complete", ...of });
    context.onEvent?.({
      kind: "progress",
      phase: "refresh",
      done: ++this.#done,
      total: this.#objects.length,
    });
    return { object, before, live: state, diagnostics: at(diagnostics, address, construct) };
  }
}
