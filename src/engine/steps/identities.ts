import type { StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import type { InstanceState } from "../../state";
import type { StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";

/** What objects are for their service, whatever address they have; nothing where that is not known. */
export class Identities {
  readonly #run: StackRun;
  readonly #ofInstances = new Map<InstanceState, Promise<string | undefined>>();

  constructor(run: StackRun) {
    this.#run = run;
  }

  /** The identity of an object that the state holds. */
  ofObject({ resource: { type }, instance, provider }: StateObject): Promise<string | undefined> {
    const known = this.#ofInstances.get(instance);
    if (known !== undefined) return known;
    const { attributes, private: bytes } = instance;
    const found = this.of(provider, type, { attributes: attributes as ValueObject, private: bytes });
    // Before its provider is configured nothing is known of an object.
    if (this.#run.configured(provider) !== undefined) this.#ofInstances.set(instance, found);
    return found;
  }

  /**
   * The identity of what a state, a plan or a declaration describes. What objects remember of paths is known to all that
   * are asked about later, so that a rename asks the service for nothing.
   */
  async of(
    provider: string,
    type: string,
    { attributes, private: remembered }: StoredState,
  ): Promise<string | undefined> {
    const configured = this.#run.configured(provider);
    const request = { type, attributes, ...(remembered !== undefined && { private: remembered }) };
    return (
      (await configured?.identify?.({ ...request, asksNothing: true })) ?? configured?.identify?.(request)
    );
  }
}
