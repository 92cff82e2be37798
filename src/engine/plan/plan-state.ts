import { hasErrors } from "../../diagnostics";
import { type InstanceMove, relocate, type State } from "../../state";
import { objectsOf, type StateObject, type StateObjects } from "../run/objects";
import type { StackRun } from "../run/stack-run";

/** The moves of objects. */
export interface Relocation {
  readonly moving: readonly InstanceMove[];
  /** Moves to another declaration, by current address. */
  readonly moves: ReadonlyMap<string, string>;
  /** Moves of objects that make room and belong to no declaration, by current address. */
  readonly displaced: ReadonlyMap<string, string>;
}

/** The state during planning: its objects move as the plan finds their declarations. */
export class PlanState {
  readonly #run: StackRun;
  #state: State | undefined;
  #objects: StateObjects;
  /** Addresses in the state as it was read, by current address. */
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

  /** The managed objects, without deposed ones. */
  get managed(): StateObject[] {
    return [...this.#objects.current.values()].flat().filter(({ resource }) => resource.mode === "managed");
  }

  /**
   * Moves objects as `moved` blocks would.
   *
   * @returns the objects by their previous address
   */
  relocate({ moving, moves, displaced }: Relocation): Map<string, StateObject> {
    this.#state = relocate(this.#state!, moving);
    this.#objects = objectsOf(this.#state, this.#run);
    this.#recordOrigins(moves, displaced);
    const now = new Map(this.managed.map((object) => [object.address, object]));
    return new Map([...moves, ...displaced].map(([from, to]) => [from, now.get(to)!]));
  }

  #recordOrigins(moves: Relocation["moves"], displaced: Relocation["displaced"]): void {
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
    this.#run.origins = origins;
    this.#run.previousAddresses = new Map([...origins].filter(([now]) => !this.#displaced.has(now)));
  }
}
