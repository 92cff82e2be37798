import type { StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import type { InstanceState } from "../../state";
import type { StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";

/** The identities of objects on the service, independent of their addresses; undefined if unknown. */
export class Identities {
  readonly #run: StackRun;
  readonly #cache = new Map<InstanceState, Promise<string | undefined>>();

  constructor(run: StackRun) {
    this.#run = run;
  }

  /** The identity of an object that the state holds. */
  identifyObject({ resource: { type }, instance, provider }: StateObject): Promise<string | undefined> {
    const known = this.#cache.get(instance);
    if (known !== undefined) return known;
    const { attributes, private: bytes } = instance;
    const found = this.identify(provider, type, { attributes: attributes as ValueObject, private: bytes });
    // Without a configured provider the identity is not known yet.
    if (this.#run.configured(provider) !== undefined) this.#cache.set(instance, found);
    return found;
  }

  /**
   * The identity of what a state, a plan or a declaration describes. Paths that objects remember serve all
   * later calls, so a rename sends no request.
   */
  async identify(
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
