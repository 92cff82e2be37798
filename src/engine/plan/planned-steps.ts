import { objectName } from "../../language";
import { withoutKey } from "../run/targets";
import type { Step } from "../steps/steps";

/** What a step's object is called. */
export const nameOfStep = ({ change: { address, deposed } }: Step): string => objectName(address, deposed);

/** What was planned so far. */
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

  /** Whether this is what is planned for its object. */
  holds(step: Step): boolean {
    return this.#byName.get(nameOfStep(step)) === step;
  }

  /** Takes back what was planned for an object. */
  remove(step: Step): void {
    const name = nameOfStep(step);
    this.#byName.delete(name);
    this.#byResource.get(withoutKey(step.change.address))?.delete(name);
  }

  of(resource: string): readonly Step[] {
    return [...(this.#byResource.get(resource)?.values() ?? [])];
  }

  /** Whether objects of a resource are to be changed. */
  isPending(resource: string): boolean {
    return this.of(resource).some(({ change: { mode, action } }) => mode === "managed" && action !== "no-op");
  }
}
