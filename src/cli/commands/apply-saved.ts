import { DiagnosticError, error, fail, hasErrors } from "../../diagnostics";
import {
  applyPlan,
  checkConfiguration,
  checkGivenVariables,
  checkServices,
  checkState,
  checkVariables,
  compareSaved,
  openState,
  type PlanFile,
  type RunContext,
  reading,
  readRecord,
  restorePlan,
  type SavedPlan,
  variablesOf,
} from "../../engine";
import { shellWord } from "../../text";
import type { ApplyArguments } from "../arguments/apply";
import { reportObservers } from "../reports/observers";
import { eachStack, type OpenStack, type Outcome } from "../stack/each-stack";
import { Limits } from "../stack/limits";
import { readPlanFile } from "../stack/plan-file";
import { withPlanSource } from "../stack/plan-source";
import { fromLine } from "../stack/variables";
import type { Terminal } from "../terminal";
import type { RunView } from "../views/run-view";

/** Applies a saved plan, if everything that it rests on is as it was. Nobody is asked: the plan was shown already. */
export async function applySaved(file: string, args: ApplyArguments, terminal: Terminal): Promise<number> {
  const plans = await readPlanFile(file, terminal);
  const isDestroy = reading(file, () => plans.stacks.some(({ plan }) => plan.mode === "destroy"));
  const observers = reportObservers(isDestroy ? "destroy" : "apply", args, terminal);
  const saved = new SavedPlans(file, plans, args, terminal, observers);
  const manner = {
    locksFor: isDestroy ? "destroy" : "apply",
    reversed: isDestroy,
    compares: true,
    waits: true,
    observers,
    prepare: (stacks: readonly OpenStack[]) => saved.check(stacks),
  };
  const source = reading(file, () => withPlanSource(args, plans));
  const outcome = await eachStack(source, terminal, manner, (stack) => saved.apply(stack));
  return outcome === "failed" ? 1 : 0;
}

class SavedPlans {
  readonly #file: string;
  readonly #plans: PlanFile;
  readonly #args: ApplyArguments;
  readonly #terminal: Terminal;
  readonly #observers: readonly RunView[];
  readonly #limits: Limits;

  constructor(
    file: string,
    plans: PlanFile,
    args: ApplyArguments,
    terminal: Terminal,
    observers: readonly RunView[],
  ) {
    this.#observers = observers;
    this.#file = file;
    this.#plans = plans;
    this.#args = args;
    this.#limits = new Limits(args);
    this.#terminal = terminal;
  }

  /** Holds all plans against what they rest on, before the first is applied. */
  async check(stacks: readonly OpenStack[]): Promise<void> {
    const found = await Promise.all(stacks.map((stack) => this.#checkOne(stack)));
    if (hasErrors(found.flat())) throw new DiagnosticError(found.flat());
  }

  async #checkOne(stack: OpenStack) {
    const saved = this.#planOf(stack);
    const context = contextOf(saved, stack.context);
    const moved = checkConfiguration(saved, context);
    if (hasErrors(moved)) return moved;
    const { applicable } = reading(this.#file, () => readRecord(saved, context.providers));
    const given = fromLine(this.#args.variables, this.#terminal.folder);
    const state = await stack.backend.read();
    const found = [
      ...(applicable ? [] : [notApplicable(this.#file)]),
      ...checkGivenVariables(saved, context, given),
      ...checkVariables(saved, context),
      ...(await checkServices(saved, context)),
      ...checkState(saved, state, stack.backend.description),
    ];
    if (hasErrors(found) || stack.ofApp === undefined) return found;
    const plan = reading(this.#file, () => restorePlan(saved, context, state));
    return [...found, ...(await compareSaved(context, plan, stack.ofApp))];
  }

  async apply(stack: OpenStack): Promise<Outcome> {
    const { backend, view } = stack;
    const saved = this.#planOf(stack);
    // Once more: the lock is held only now.
    const { state, context, diagnostics } = await openState(contextOf(saved, stack.context), backend);
    const unsettled = context.unsettled?.diagnostics ?? [];
    view.diagnostics([...diagnostics, ...unsettled]);
    const moved = checkState(saved, state, backend.description);
    if (hasErrors(moved)) throw new DiagnosticError(moved);
    const plan = reading(this.#file, () => restorePlan(saved, context, state));
    const refusals = this.#limits.refusals(plan);
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    for (const observer of this.#observers) observer.plan(plan);
    // What could not be planned is not done: it is told again.
    view.diagnostics(plan.diagnostics.filter(({ severity }) => severity === "error"));
    const result = await applyPlan(context, plan, backend);
    await view.settle();
    view.applied(plan.mode, result);
    return hasErrors([...unsettled, ...plan.diagnostics, ...result.diagnostics]) ? "failed" : "found";
  }

  #planOf({ name }: OpenStack): SavedPlan {
    const { stacks } = this.#plans;
    const isOnly = name === undefined && stacks.length === 1;
    const found = isOnly ? stacks[0] : stacks.find((one) => one.name === name);
    return found?.plan ?? noSuchStack(this.#file, name);
  }
}

const contextOf = (saved: SavedPlan, context: RunContext): RunContext => ({
  ...context,
  ...(saved.targets.length > 0 && { targets: saved.targets }),
  variables: variablesOf(saved, context.variables),
});

const notApplicable = (file: string) =>
  error({
    code: "saved_plan_not_applicable",
    summary: "Saved plan can't be applied",
    detail: `The plan in ${file} has errors in its declarations. Nothing was sent. \`steward show ${shellWord(file)}\` tells them; mend them, and plan again.`,
  });

const noSuchStack = (file: string, name: string | undefined): never =>
  fail({
    code: "saved_plan_configuration_moved_on",
    summary: "Configuration has changed since the plan",
    detail: `${file} holds no plan of ${name === undefined ? "this configuration" : `the stack "${name}"`}. Nothing was sent. Plan again.`,
  });
