import { type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
import {
  DYNAMIC,
  fromPlain,
  impliedType,
  isWhollyKnown,
  markPaths,
  type ProviderDeclaration,
  type ResourceDeclaration,
  unknown,
  type Value,
} from "../../language";
import type { ValueObject } from "../../schema";
import { type State, type StateBackend, StateEditor } from "../../state";
import { checkBlock, checkVariable, noteNestedRead } from "../checks/check-declarations";
import { evaluateOutput, outputState } from "../checks/outputs";
import { knownSoFar } from "../data/nested-data";
import { planData } from "../data/plan-data";
import { walk } from "../graph/walk";
import { checkInstance, expectConditions } from "../lifecycle/instance-conditions";
import { checksInState } from "../model/check-results";
import type { ChangeSummary } from "../model/plan";
import { expectChanges } from "../plan/expect-changes";
import { APPLY_WIDTH, type RunContext } from "../run/context";
import { aggregate, type InstanceKey } from "../run/instances";
import { sensitivePathsOf } from "../run/sensitivity";
import { type StackRun, withRun } from "../run/stack-run";
import type { ExecutablePlan } from "../steps/executable-plan";
import { adjustsState, isChange, plannedOf, type Step } from "../steps/steps";
import { type ApplyNode, applyGraph, resourceOf } from "./apply-graph";
import { beginState } from "./begin-state";
import { holdBack } from "./hold-back";
import { incomplete, notDone } from "./not-done";
import { ObjectChanges } from "./object-changes";
import { presentSteps } from "./present-steps";
import { Rights } from "./rights";
import { Saving } from "./saving";

export interface ApplyResult {
  readonly state: State;
  readonly diagnostics: readonly Diagnostic[];
  /** The objects that the plan could not look at. */
  readonly unchecked: readonly string[];
  readonly done: Readonly<ChangeSummary>;
}

/**
 * Does what a plan shows, in the order of dependencies, and saves the state as it goes. A failure keeps what depends
 * on it from being done; all else goes on, and is saved.
 */
export async function applyPlan(
  context: RunContext,
  plan: ExecutablePlan,
  backend: StateBackend,
): Promise<ApplyResult> {
  if (!plan.applicable) throw new Error("A plan with errors in its declarations can't be applied.");
  const work = (run: StackRun) => {
    const allowed = holdBack(context, plan);
    run.report(allowed.diagnostics);
    const saving = new Saving(backend, new StateEditor(plan.movedState), context.unsettled);
    return new Applier(run, allowed.plan, saving).apply();
  };
  return withRun(context, work, "change");
}

class Applier {
  readonly #run: StackRun;
  readonly #plan: ExecutablePlan;
  readonly #blocked: ReadonlySet<string>;
  readonly #saving: Saving;
  readonly #steps = new Map<string, Step[]>();
  readonly #changes: ObjectChanges;
  readonly #rights: Rights;
  /** What a check could not read now; what an earlier run read is no answer to it. */
  readonly #unread = new Set<string>();

  constructor(run: StackRun, plan: ExecutablePlan, saving: Saving) {
    this.#run = run;
    this.#plan = plan;
    this.#blocked = new Set(plan.blocked);
    this.#saving = saving;
    this.#rights = new Rights(run);
    this.#changes = new ObjectChanges(run, saving, plan.steps.filter(isChange).length);
    for (const step of plan.steps) {
      const address = resourceOf(step);
      const known = this.#steps.get(address);
      if (known === undefined) this.#steps.set(address, [step]);
      else known.push(step);
    }
  }

  get #editor(): StateEditor {
    return this.#saving.editor;
  }

  async apply(): Promise<ApplyResult> {
    const { context } = this.#run;
    beginState(this.#editor, this.#plan, context.configuration);
    this.#changes.done.import = this.#plan.summary.import;
    this.#changes.done.move = this.#plan.summary.move;
    // The journal tells of changes at the new addresses: the state has to have its objects there before.
    if (this.#plan.steps.some(adjustsState)) await this.#saving.saveFirst();
    this.#expectConditions();
    const graph = applyGraph(this.#run.graph, this.#plan);
    const outcomes = await walk(graph, (id, node) => this.#run.guard(id, () => this.#visit(id, node)), {
      width: context.parallelism ?? APPLY_WIDTH,
      signal: context.stop,
      failFast: context.failFast,
    });
    this.#run.report(notDone(this.#plan, outcomes, context));
    if ((context.targets ?? []).length > 0) this.#run.report([incomplete()]);
    for (const { name, action } of this.#plan.outputs)
      if (action === "delete") this.#editor.setOutput(name, undefined);
    if (this.#plan.mode === "destroy" && !hasErrors(this.#run.diagnostics)) this.#forgetTheRest();
    // A look at what is there leaves nothing to check anew.
    const checks = this.#plan.mode === "refresh-only" ? this.#plan.checks : this.#run.checks.all();
    this.#editor.setChecks(checksInState(checks));
    // Where nothing was made, no empty state is left behind.
    if (this.#plan.priorState !== undefined || !this.#editor.isEmpty) this.#save();
    this.#run.report(await this.#saving.finish());
    const diagnostics = mergeDiagnostics(this.#run.diagnostics);
    const { unchecked } = this.#plan;
    return { state: this.#editor.snapshot(), diagnostics, unchecked, done: this.#changes.done };
  }

  /** Conditions of what is not worked on any more stay unknown, as under Terraform. */
  #expectConditions(): void {
    for (const { kind, declaration: address, objects } of this.#plan.checks) {
      const declaration = this.#run.context.configuration.resources.get(address);
      if (kind !== "resource") this.#run.checks.declare(kind, address);
      const instances = this.#plan.mode === "destroy" ? undefined : objects.map((object) => object.address);
      if (declaration !== undefined) expectConditions(this.#run, declaration, instances);
    }
  }

  async #visit(id: string, node: ApplyNode): Promise<"done" | "failed"> {
    switch (node.kind) {
      case "local":
        return this.#run.visitLocal(node.name, node);
      case "provider":
        return this.#connect(node.key, node.declaration);
      case "output":
        return this.#visitOutput(id, node);
      case "destroy":
        return this.#rights.refuses(node.step) ? "failed" : this.#changes.destroy(node.step);
      case "variable":
        return this.#run.report(checkVariable(this.#run, node.declaration));
      case "check":
        return this.#plan.mode === "destroy"
          ? "done"
          : this.#run.report(checkBlock(this.#run, node.declaration));
      case "resource":
        return this.#visitResource(id, node.declaration);
    }
  }

  async #connect(key: string, declaration: ProviderDeclaration | undefined): Promise<"done" | "failed"> {
    const outcome = this.#run.visitProvider(key, declaration, true);
    if (outcome === "failed") return outcome;
    const updated = this.#plan.steps.filter(
      ({ provider, change }) => provider === key && change.action === "update",
    );
    this.#run.expectReads(
      key,
      updated.map(({ change }) => ({ type: change.type, id: String(change.before!["id"]) })),
    );
    await expectChanges(this.#run, this.#plan, key);
    // What is refused here fails alone: all else is done.
    this.#run.report(await this.#rights.check(key, this.#plan.steps));
    return outcome;
  }

  #visitOutput(id: string, { declaration }: Extract<ApplyNode, { kind: "output" }>): "done" | "failed" {
    if (this.#blocked.has(id)) return "failed";
    // What the plan does not speak of does not concern its targets.
    if (!this.#plan.outputs.some(({ name }) => name === declaration.name)) return "done";
    const { value, diagnostics } = evaluateOutput(this.#run, declaration, this.#plan.mode !== "normal");
    const outcome = this.#run.report(diagnostics);
    if (value === undefined) return outcome;
    // What is taken over without making anything may leave a value open: the state has no word for that but null.
    if (!isWhollyKnown(value) && this.#plan.mode !== "refresh-only") return outcome;
    this.#editor.setOutput(
      declaration.name,
      value.content === null ? undefined : outputState(value, declaration.sensitive),
    );
    return outcome;
  }

  async #visitResource(address: string, declaration: ResourceDeclaration): Promise<"done" | "failed"> {
    const declared = (this.#steps.get(address) ?? []).filter((step) => step.declared !== undefined);
    const steps = presentSteps(this.#run, declaration, declared);
    const outcomes = await Promise.all(steps.map((step) => this.#settle(step)));
    if (this.#unread.has(address)) this.#run.evaluation.set(address, unknown(DYNAMIC));
    else this.#run.evaluation.setLazily(address, this.#valueFromState(declaration));
    return outcomes.includes("failed") || this.#blocked.has(address) ? "failed" : "done";
  }

  /** Does the part of a step that makes or changes its object; its end, if it has one, is a node of its own. */
  async #settle(step: Step): Promise<"done" | "failed"> {
    const { action, mode } = step.change;
    if (action === "read") return this.#readLate(step);
    if (action === "no-op" && mode === "data") {
      this.#changes.put(step, plannedOf(step)!);
      return "done";
    }
    if (this.#rights.refuses(step)) return "failed";
    const { declaration, instance } = step.declared!;
    const stage = { run: this.#run, declaration, instance };
    if (this.#run.report(checkInstance(stage, "precondition")) === "failed") return "failed";
    const result = action === "no-op" ? this.#changes.keep(step) : await this.#changes.make(step);
    if (result.state === undefined || hasErrors(result.diagnostics))
      return this.#run.report(result.diagnostics);
    const values = result.state.attributes;
    const found = checkInstance(stage, "postcondition", { values, sensitive: step.sensitive });
    return this.#run.report([...result.diagnostics, ...found]);
  }

  async #readLate(step: Step): Promise<"done" | "failed"> {
    const { declaration, instance } = step.declared!;
    // What it waited for is known by now, so nothing is pending any more.
    const { step: read, diagnostics } = await planData(this.#run, declaration, instance, () => false);
    if (read !== undefined) this.#changes.put(read, plannedOf(read)!);
    if (declaration.check === undefined) return this.#run.report(diagnostics);
    if (read === undefined) this.#leaveUnread(step);
    return this.#run.report(noteNestedRead(this.#run, declaration.check, diagnostics));
  }

  /** Of what a check could not read the state keeps what the plan knew, as under Terraform. */
  #leaveUnread(step: Step): void {
    const { change } = step;
    const planned = plannedOf(step);
    this.#unread.add(resourceOf(step));
    if (change.reason === "read_because_check_nested") this.#changes.put(step, knownSoFar(planned!));
    else this.#editor.remove(resourceOf(step), change.address);
  }

  /** What expressions see of a resource as the state has it now: worked out once one of them asks. */
  #valueFromState(declaration: ResourceDeclaration): () => Value {
    const { attributes } = this.#run.schema(declaration);
    // What is to be deleted may still be there, and is none of its instances any more.
    const leaving = new Set(
      (this.#steps.get(declaration.address) ?? [])
        .filter(({ declared }) => declared === undefined)
        .map(({ change }) => change.indexKey),
    );
    const instances = this.#editor
      .instances(declaration.address)
      .filter(({ indexKey }) => !leaving.has(indexKey));
    return () => {
      const values = instances.map((instance): [InstanceKey, Value] => {
        const value = fromPlain(instance.attributes as ValueObject, impliedType(attributes));
        return [instance.indexKey, markPaths(value, sensitivePathsOf(instance, attributes))];
      });
      return aggregate(declaration, new Map(values)) ?? unknown(impliedType(attributes));
    };
  }

  #save(): void {
    this.#saving.schedule();
  }

  /** After a destroy of everything nothing is left that was only read. */
  #forgetTheRest(): void {
    if (!this.#editor.holdsManaged) this.#editor.removeResources(({ mode }) => mode === "data");
  }
}
