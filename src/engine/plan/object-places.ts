import { hasErrors } from "../../diagnostics";
import { type InstanceMove, relocate, type State } from "../../state";
import { objectsOf, type StateObject, type StateObjects } from "../run/objects";
import type { StackRun } from "../run/stack-run";

/** Where objects go, by the address that they have. */
export interface Relocation {
  readonly moving: readonly InstanceMove[];
  /** Those that are the object of another declaration. */
  readonly moves: ReadonlyMap<string, string>;
  /** Those that make room for them, and are the object of none. */
  readonly displaced: ReadonlyMap<string, string>;
}

/** A state while a plan finds out where its objects belong. */
export class ObjectPlaces {
  readonly #run: StackRun;
  #state: State | undefined;
  #objects: StateObjects;
  /** Where objects stood in the state as it was read, by their address now. */
  #origins: ReadonlyMap<string, string>;
  readonly #displaced = new Set<string>();

  constructor(run: StackRun, state: State | undefined) {
    this.#run = run;
    this.#state = state;
    this.#objects = objectsOf(hasErrors(run.diagnostics) ? undefined : state, run);
    this.#origins = run.previousAddresses;
  }

  get state(): State | undefined {
    return this.#state;
  }

  get objects(): StateObjects {
    return this.#objects;
  }

  /** The managed objects that instances have now. */
  get managed(): StateObject[] {
    return [...this.#objects.current.values()].flat().filter(({ resource }) => resource.mode === "managed");
  }

  /** Puts objects where they belong, as `moved` blocks would; answers with them by the address that they had. */
  relocate({ moving, moves, displaced }: Relocation): Map<string, StateObject> {
    this.#state = relocate(this.#state!, moving);
    this.#objects = objectsOf(this.#state, this.#run);
    this.#remember(moves, displaced);
    const now = new Map(this.managed.map((object) => [object.address, object]));
    return new Map([...moves, ...displaced].map(([from, to]) => [from, now.get(to)!]));
  }

  #remember(moves: Relocation["moves"], displaced: Relocation["displaced"]): void {
    const all = [...moves, ...displaced];
    const origins = new Map(this.#origins);
    for (const [from] of all) {
      origins.delete(from);
      this.#displaced.delete(from);
    }
    for (const [from, to] of all) {
      const origin = this.#origins.get(from) ?? from;
      if (origin !== to) origins.set(to, origin);
    }
    for (const to of displaced.values()) this.#displaced.add(to);
    this.#origins = origins;
    this.#run.previousAddresses = new Map([...origins].filter(([now]) => !this.#displaced.has(now)));
  }
}
