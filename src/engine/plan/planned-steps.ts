import { withoutKey } from "../run/targets";
import type { Step } from "./steps";

/** What was planned so far. */
export class PlannedSteps {
  readonly all: Step[] = [];
  readonly #byResource = new Map<string, Step[]>();

  add(step: Step): void {
    this.all.push(step);
    const resource = withoutKey(step.change.address);
    const known = this.#byResource.get(resource);
    if (known === undefined) this.#byResource.set(resource, [step]);
    else known.push(step);
  }

  of(resource: string): readonly Step[] {
    return this.#byResource.get(resource) ?? [];
  }

  /** Whether objects of a resource are to be changed. */
  isPending(resource: string): boolean {
    return this.of(resource).some(({ change: { mode, action } }) => mode === "managed" && action !== "no-op");
  }
}
