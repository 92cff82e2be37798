import type { StoredState } from "../../framework";
import type { StackRun } from "../run/stack-run";
import type { KnownStack, StackOfApp } from "./app-stacks";
import { Comparison, requestOf } from "./comparison";

/** The objects of the other stacks of the app, as far as they are known without a request. */
export class OtherStacks {
  readonly #run: StackRun;
  readonly #comparison: Comparison;
  readonly #stack: StackOfApp;
  #others: Promise<readonly KnownStack[]> | undefined;

  constructor(run: StackRun, stack: StackOfApp) {
    this.#run = run;
    this.#comparison = new Comparison(run, stack.app);
    this.#stack = stack;
  }

  /** Whether another stack declares an object or a part of it, or its state holds it. */
  async own(provider: string, type: string, object: StoredState): Promise<boolean> {
    const { service, owns } = this.#run.configured(provider);
    const identity = await this.#comparison.identify(provider, type, object);
    if (identity === undefined) return false;
    const shares = (await owns?.(requestOf(type, object))) ?? [];
    this.#others ??= this.#stack.app.others(this.#stack.name);
    return this.#comparison.isOwned({ identity, service, shares }, await this.#others);
  }
}
