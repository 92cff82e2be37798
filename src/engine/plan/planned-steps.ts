import { objectName } from "../../language";
import { withoutKey } from "../run/targets";
import type { Step } from "../steps/steps";

/** The name of a step's object. */
export const nameOfStep = ({ change: { address, deposed } }: Step): string => objectName(address, deposed);

/** The steps planned so far. */
export class PlannedSteps {
  readonly #byName = new Map<string, Step>();
  readonly #byResource = new Map<string, Map<string, Step>>();

  get all(): Step[] {
    return [...this.#byName.values()];
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  add(step: Step): void {
    const name = nameOfStep(step);
    this.#byName.set(name, step);
    const resource = withoutKey(step.change.address);
    const known = this.#byResource.get(resource);
    if (known === undefined) this.#byResource.set(resource, new Map([[name, step]]));
    else known.set(name, step);
  }

  /** Whether this is the current step of its object. */
  includes(step: Step): boolean {
    return this.#byName.get(nameOfStep(step)) === step;
  }

  /** Withdraws the step of an object. */
  remove(step: Step): void {
    const name = nameOfStep(step);
    this.#byName.delete(name);
    this.#byResource.get(withoutKey(step.change.address))?.delete(name);
  }

  of(resource: string): readonly Step[] {
    return [...(this.#byResource.get(resource)?.values() ?? [])];
  }

  /** Whether changes of a resource are planned. */
  isPending(resource: string): boolean {
    return this.of(resource).some(({ change: { mode, action } }) => mode === "managed" && action !== "no-op");
  }
}
