import { objectName } from "../../language";
import { withoutKey } from "../run/targets";
import type { Step } from "../steps/steps";

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
