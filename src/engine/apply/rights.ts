import { type Diagnostic, hasErrors } from "../../diagnostics";
import { objectName } from "../../language";
import { at } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { isChange, plannedOf, priorOf, type Step } from "../steps/steps";

/** Which steps of a plan the token can't do, or seems not to be able to, found out before the first of them is begun. */
export class Rights {
  readonly #run: StackRun;
  /** By name: a step is made anew when more of its declaration is known. */
  readonly #refused = new Set<string>();

  constructor(run: StackRun) {
    this.#run = run;
  }

  /** Asks a provider of its own steps; answers with what is refused or doubted, and tells of it at once. */
  async check(provider: string, steps: readonly Step[]): Promise<readonly Diagnostic[]> {
    const changes = steps.filter((step) => step.provider === provider && isChange(step));
    const { checkRights } = this.#run.configured(provider);
    if (checkRights === undefined || changes.length === 0) return [];
    const answers = await checkRights(
      changes.map((step) => ({ type: step.change.type, prior: priorOf(step), planned: plannedOf(step) })),
    );
    const doubts = changes.flatMap((step, index) =>
      hasErrors(answers[index]!) ? [] : located(step, answers[index]!),
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
    const diagnostics = located(step, found);
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

const located = ({ change }: Step, found: readonly Diagnostic[]): readonly Diagnostic[] =>
  at(found, change.address, change.construct);
