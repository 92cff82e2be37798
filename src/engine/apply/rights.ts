import { type Diagnostic, hasErrors } from "../../diagnostics";
import { objectName } from "../../language";
import { at } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { isChange, plannedOf, priorOf, type Step } from "../steps/steps";

/**
 * The steps of a plan that the token is not allowed to perform, or seems not to be, determined before the
 * first change.
 */
export class Rights {
  readonly #run: StackRun;
  /** By object name: steps are rebuilt once more values are known. */
  readonly #refused = new Set<string>();

  constructor(run: StackRun) {
    this.#run = run;
  }

  /**
   * Asks a provider about its steps.
   *
   * @returns the errors of refused steps and the warnings of doubtful ones; all are emitted as events too
   */
  async check(provider: string, steps: readonly Step[]): Promise<readonly Diagnostic[]> {
    const changes = steps.filter((step) => step.provider === provider && isChange(step));
    const { checkRights } = this.#run.configured(provider);
    if (checkRights === undefined || changes.length === 0) return [];
    const answers = await checkRights(
      changes.map((step) => ({ type: step.change.type, prior: priorOf(step), planned: plannedOf(step) })),
    );
    const doubts = changes.flatMap((step, index) =>
      hasErrors(answers[index]!) ? [] : withAddress(step, answers[index]!),
    );
    if (doubts.length > 0) this.#run.context.onEvent?.({ kind: "warned", diagnostics: doubts });
    return [
      ...doubts,
      ...changes.flatMap((step, index) =>
        hasErrors(answers[index]!) ? this.#refuse(step, answers[index]!) : [],
      ),
    ];
  }

  refuses({ change }: Step): boolean {
    return this.#refused.has(objectName(change.address, change.deposed));
  }

  #refuse(step: Step, found: readonly Diagnostic[]): readonly Diagnostic[] {
    const { address, action, deposed } = step.change;
    const diagnostics = withAddress(step, found);
    this.#refused.add(objectName(address, deposed));
    this.#run.context.onEvent?.({
      kind: "apply_errored",
      address,
      ...(deposed !== undefined && { deposed }),
      action,
      milliseconds: 0,
      diagnostics,
    });
    return diagnostics;
  }
}

const withAddress = ({ change }: Step, found: readonly Diagnostic[]): readonly Diagnostic[] =>
  at(found, change.address, change.construct);
