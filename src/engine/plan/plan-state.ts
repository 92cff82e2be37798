import { hasErrors } from "../../diagnostics";
import { objectName } from "../../language";
import { type InstanceMove, relocate, type State } from "../../state";
import { objectsOf, type StateObject, type StateObjects } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { withoutKey } from "../run/targets";
import type { Step } from "../steps/steps";

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
  #state: State | undefined;
  #objects: StateObjects;
  /** Addresses in the state as it was read, by current address. */
  #origins: ReadonlyMap<string, string>;
  readonly #displaced = new Set<string>();

  constructor(
    private readonly run: StackRun,
    state: State | undefined,
  ) {
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
    this.#objects = objectsOf(this.#state, this.run);
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
    this.run.origins = origins;
    this.run.previousAddresses = new Map([...origins].filter(([now]) => !this.#displaced.has(now)));
  }
}

/** The name of a step's object. */
export const nameOfStep = ({ change: { address, deposed } }: Step): string => objectName(address, deposed);

interface StepsOfResource {
  readonly steps: Map<string, Step>;
  pending: number;
}

/** The steps planned so far. */
export class PlannedSteps {
  readonly #byName = new Map<string, Step>();
  /** Made when a resource is asked for: few plans do. */
  #byResource: Map<string, StepsOfResource> | undefined;

  get all(): Step[] {
    return [...this.#byName.values()];
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The step of an object, by its name. */
  get(name: string): Step | undefined {
    return this.#byName.get(name);
  }

  add(step: Step): void {
    const name = nameOfStep(step);
    if (this.#byResource !== undefined) addTo(this.#byResource, name, step);
    this.#byName.set(name, step);
  }

  /** Whether this is the current step of its object. */
  includes(step: Step): boolean {
    return this.#byName.get(nameOfStep(step)) === step;
  }

  /** Withdraws the step of an object. */
  remove(step: Step): void {
    const name = nameOfStep(step);
    this.#byName.delete(name);
    const known = this.#byResource?.get(withoutKey(step.change.address));
    if (known === undefined) return;
    known.pending -= Number(isPending(known.steps.get(name)));
    known.steps.delete(name);
  }

  of(resource: string): readonly Step[] {
    return [...(this.#resource(resource)?.steps.values() ?? [])];
  }

  /** Whether changes of a resource are planned. */
  isPending(resource: string): boolean {
    return (this.#resource(resource)?.pending ?? 0) > 0;
  }

  #resource(resource: string): StepsOfResource | undefined {
    if (this.#byResource === undefined) {
      const all = new Map<string, StepsOfResource>();
      for (const [name, step] of this.#byName) addTo(all, name, step);
      this.#byResource = all;
    }
    return this.#byResource.get(resource);
  }
}

function addTo(all: Map<string, StepsOfResource>, name: string, step: Step): void {
  const resource = withoutKey(step.change.address);
  const known = all.get(resource) ?? { steps: new Map<string, Step>(), pending: 0 };
  all.set(resource, known);
  known.pending += Number(isPending(step)) - Number(isPending(known.steps.get(name)));
  known.steps.set(name, step);
}

const isPending = (step: Step | undefined): boolean =>
  step !== undefined && step.change.mode === "managed" && step.change.action !== "no-op";
