import { type Diagnostic, hasErrors, joinItems, mergeDiagnostics } from "../../diagnostics";
import type { Resolution } from "../../framework";
import { DYNAMIC, impliedType, type ResourceDeclaration, unknown, type Value } from "../../language";
import { groupBy } from "../../schema";
import { type State, type StateBackend, StateEditor } from "../../state";
import type { Declared } from "../declarations/declarations";
import type { NodeOutcome, Visited } from "../declarations/walk";
import { ExpectedChanges } from "../plan/expected-changes";
import { nameOfStep } from "../plan/planned-steps";
import { checksInState } from "../results/check-results";
import type { ChangeSummary } from "../results/plan";
import {
  checkBlock,
  checkInstance,
  checkVariable,
  registerConditions,
  reportNestedRead,
} from "../stack-run/conditions";
import type { RunContext } from "../stack-run/context";
import { aggregate, type InstanceKey } from "../stack-run/instances";
import { evaluateOutput, outputState } from "../stack-run/outputs";
import {
  limitsOfWalk,
  type StackRun,
  type Visitor,
  visitNode,
  walkGuarded,
  withRun,
} from "../stack-run/stack-run";
import type { StackOfApp } from "../stacks/app-stacks";
import { OtherStacks } from "../stacks/other-stacks";
import { DataSourcePlan, storedValue, unknownsAsNull } from "../steps/data-sources";
import { type ExecutablePlan, isChange, isRelease, isStateChange, type Step } from "../steps/steps";
import { type ApplyNode, applyGraph, destroyNode, resourceOf } from "./apply-graph";
import { ApplyState, excludePending, prepareState, rebindInstances, recordFleets } from "./apply-state";
import { Rights } from "./apply-step";
import { ObjectChanges } from "./object-changes";
import { skippedChanges, targetingIncomplete } from "./skipped-changes";

export interface ApplyResult {
  readonly state: State;
  readonly diagnostics: readonly Diagnostic[];
  /** Addresses of the objects that the plan could not read. */
  readonly unchecked: readonly string[];
  readonly done: Readonly<ChangeSummary>;
}

/**
 * Applies a plan in the order of dependencies, and saves the state during the run. If a change fails, its dependents are skipped.
 * All other changes continue and are saved.
 */
export async function applyPlan(
  context: RunContext,
  plan: ExecutablePlan,
  backend: StateBackend,
  stackOfApp?: StackOfApp,
): Promise<ApplyResult> {
  if (!plan.applicable) throw new Error("A plan with errors in its declarations can't be applied.");
  const work = (run: StackRun) => {
    const allowed = excludePending(context, plan);
    run.report(allowed.diagnostics);
    const state = new ApplyState(backend, new StateEditor(plan.movedState), context.pendingRecovery);
    const others = stackOfApp && new OtherStacks(run, stackOfApp, plan.mode);
    return new Applier(run, allowed.plan, state, others).apply();
  };
  return withRun(context, work, "change");
}

class Applier {
  readonly #blocked: ReadonlySet<string>;
  readonly #steps: ReadonlyMap<string, readonly Step[]>;
  readonly #plannedOutputs: ReadonlySet<string>;
  readonly #changes: ObjectChanges;
  readonly #rights: Rights;
  /**
   * Addresses of data sources that are inside checks and could not be read in this run. The values of these data
   * sources from an earlier run must not be used.
   */
  readonly #unread = new Set<string>();
  /** Addresses of declared objects that were not applied. */
  readonly #notApplied: Set<string>;

  constructor(
    private readonly run: StackRun,
    private readonly plan: ExecutablePlan,
    private readonly state: ApplyState,
    private readonly others: OtherStacks | undefined,
  ) {
    this.#blocked = new Set(plan.blocked);
    this.#rights = new Rights(run);
    const vanished = plan.drifted.flatMap(({ object, before, live, importing }) =>
      live === undefined && importing === undefined && object.instance.deposed === undefined
        ? [[object.address, before] as const]
        : [],
    );
    this.#changes = new ObjectChanges(run, state, plan.steps.filter(isChange).length, new Map(vanished));
    this.#steps = groupBy(plan.steps, resourceOf);
    this.#notApplied = new Set(plan.steps.filter(isChange).map(({ change }) => change.address));
    this.#plannedOutputs = new Set(plan.outputs.map(({ name }) => name));
  }

  get #editor(): StateEditor {
    return this.state.editor;
  }

  async apply(): Promise<ApplyResult> {
    const { context } = this.run;
    prepareState(this.run, this.#editor, this.plan);
    this.#changes.done.import = this.plan.summary.import;
    this.#changes.done.move = this.plan.summary.move;
    // The journal of this run will contain the new addresses. The saved state must therefore contain the objects at these
    // addresses before the first journal line.
    if (this.plan.steps.some(isStateChange)) await this.state.saveNow();
    this.#expectConditions();
    const graph = applyGraph(this.run.graph, this.plan);
    const visit = (id: string, node: ApplyNode) => this.#visit(id, node);
    const outcomes = await walkGuarded(this.run, graph, visit, limitsOfWalk(this.run));
    this.#releaseHandedOver();
    recordFleets(this.run, this.#editor, this.plan);
    this.run.report(skippedChanges(this.#notStarted(outcomes), context.stop, context.abort));
    const { restriction } = this.run;
    if (restriction !== undefined) this.run.report([targetingIncomplete(restriction)]);
    for (const { name, action } of this.plan.outputs)
      if (action === "delete") this.#editor.setOutput(name, undefined);
    const isDestroyed = this.plan.mode === "destroy" && !hasErrors(this.run.diagnostics);
    if (isDestroyed && !this.#editor.hasManaged) this.#editor.removeResources(({ mode }) => mode === "data");
    // A refresh-only apply evaluates no checks.
    const checks = this.plan.mode === "refresh-only" ? this.plan.checks : this.run.checks.all();
    this.#editor.setChecks(checksInState(checks));
    // If nothing was created, no empty state is written.
    if (this.plan.priorState !== undefined || !this.#editor.isEmpty) this.state.schedule();
    this.run.report(await this.state.flush());
    const diagnostics = joinItems(mergeDiagnostics(this.run.diagnostics));
    const { unchecked } = this.plan;
    return { state: this.#editor.snapshot(), diagnostics, unchecked, done: this.#changes.done };
  }

  /**
   * Returns the addresses of the changes that did not start. Some changes of a node may not have started although the node was
   * visited.
   */
  #notStarted(outcomes: ReadonlyMap<string, NodeOutcome>): string[] {
    const isSkipped = (id: string) => outcomes.get(id) === "skipped" || this.#changes.skipped.has(id);
    return this.plan.steps
      .filter(isChange)
      .filter((step) => [resourceOf(step), step.change.address, destroyNode(step)].some(isSkipped))
      .map(({ change }) => change.address);
  }

  /**
   * Registers the conditions of the plan as unknown. As under Terraform, the conditions of objects that are not applied stay
   * unknown.
   */
  #expectConditions(): void {
    for (const { kind, declaration: address, objects } of this.plan.checks) {
      const declaration = this.run.context.configuration.resources.get(address);
      if (kind !== "resource") this.run.checks.expect(kind, address);
      const instances = this.plan.mode === "destroy" ? undefined : objects;
      if (declaration !== undefined)
        registerConditions(this.run.checks, address, declaration.lifecycle, instances);
    }
  }

  #visit(id: string, node: ApplyNode): Resolution<Visited> {
    if (node.kind === "junction") return "done";
    if (node.kind !== "destroy") return visitNode(this.run, this.#visitor, id, node);
    return this.#rights.isRefused(node.step) ? "failed" : this.#changes.destroy(node.step);
  }

  readonly #visitor: Visitor = {
    provider: (node) => this.#visitProvider(node),
    output: (node, id) => this.#visitOutput(id, node),
    variable: ({ declaration }) => this.run.report(checkVariable(this.run, declaration)),
    check: ({ declaration }) =>
      this.plan.mode === "destroy" ? "done" : this.run.report(checkBlock(this.run, declaration)),
    resource: ({ declaration }, address) => this.#visitResource(address, declaration),
  };

  async #visitProvider(node: Extract<Declared, { kind: "provider" }>): Promise<"done" | "failed"> {
    const { key } = node;
    const outcome = this.run.visitProvider(node);
    if (outcome === "failed") return outcome;
    const updated = this.plan.steps.filter(
      ({ provider, change }) => provider === key && change.action === "update",
    );
    this.run.expectReads(
      key,
      updated.map(({ change }) => ({ type: change.type, id: String(change.before!["id"]) })),
    );
    // Several configurations can lead to one service, so the releases of all provider configurations count.
    if (this.plan.leftBehind.size > 0 || this.plan.steps.some((step) => isRelease(this.run, step)))
      await new ExpectedChanges(this.run, this.plan).tell(key);
    await this.others?.announceChanges(this.plan.steps.filter(({ provider }) => provider === key));
    // The outcome does not depend on the rights, because a refused step does not stop the other steps.
    this.run.report(await this.#rights.check(key, this.plan.steps));
    return outcome;
  }

  #visitOutput(id: string, { declaration }: Extract<Declared, { kind: "output" }>): "done" | "failed" {
    if (this.#blocked.has(id)) return "failed";
    // If the plan does not contain an output, a restriction such as `--target` has left the output out.
    if (!this.#plannedOutputs.has(declaration.name)) return "done";
    const { value, diagnostics } = evaluateOutput(this.run, declaration, this.plan.mode !== "normal");
    const outcome = this.run.report(diagnostics);
    if (value === undefined) return outcome;
    // Unknown outputs are not stored, except in a refresh-only apply, which stores null for them.
    if (value.hasUnknown && this.plan.mode !== "refresh-only") return outcome;
    this.#editor.setOutput(
      declaration.name,
      value.content === null ? undefined : outputState(value, declaration.sensitive),
    );
    return outcome;
  }

  async #visitResource(address: string, declaration: ResourceDeclaration): Promise<"done" | "failed"> {
    const declared = (this.#steps.get(address) ?? []).filter((step) => step.declared !== undefined);
    const steps = rebindInstances(this.run, declaration, declared);
    const outcomes = await Promise.all(
      steps.map(async (step) => {
        const outcome = await this.#applyStep(step);
        if (outcome === "done") this.#notApplied.delete(step.change.address);
        return outcome;
      }),
    );
    if (this.#unread.has(address)) this.run.evaluation.set(address, unknown(DYNAMIC));
    else this.run.evaluation.setLazily(address, this.#valueFromState(declaration));
    return outcomes.includes("failed") || this.#blocked.has(address) ? "failed" : "done";
  }

  /** Applies a step of a declared object: a create, an update or a read. A delete has a separate node. */
  async #applyStep(step: Step): Promise<"done" | "failed"> {
    const { action, mode } = step.change;
    if (action === "read") return this.#readDeferred(step);
    if (action === "no-op" && mode === "data") {
      this.#changes.put(step, step.planned!);
      return "done";
    }
    if (this.#rights.isRefused(step)) return "failed";
    const stage = { run: this.run, ...step.declared! };
    const { preconditions, postconditions } = stage.declaration.lifecycle;
    if (preconditions.length > 0 && this.run.report(checkInstance(stage, "precondition")) === "failed")
      return "failed";
    const result = action === "no-op" ? this.#changes.keep(step) : await this.#changes.createOrUpdate(step);
    if (result.isSkipped) return "failed";
    if (result.state === undefined || hasErrors(result.diagnostics) || postconditions.length === 0)
      return this.run.report(result.diagnostics);
    const values = result.state.attributes;
    const found = checkInstance(stage, "postcondition", { values, sensitive: step.sensitive });
    return this.run.report([...result.diagnostics, ...found]);
  }

  async #readDeferred(step: Step): Promise<"done" | "failed"> {
    const { declaration } = step.declared!;
    const stage = { run: this.run, ...step.declared! };
    // The dependencies have been applied, so no change is pending.
    const { step: read, diagnostics } = await new DataSourcePlan(stage).plan();
    if (read !== undefined) this.#changes.put(read, read.planned!);
    if (declaration.check === undefined) return this.run.report(diagnostics);
    if (read === undefined) this.#keepPlannedValues(step);
    return this.run.report(reportNestedRead(this.run, declaration.check, diagnostics));
  }

  /** If a check's data source could not be read, keeps the planned values of the data source, as Terraform does. */
  #keepPlannedValues(step: Step): void {
    const { change } = step;
    const planned = step.planned;
    this.#unread.add(resourceOf(step));
    if (change.reason === "read_because_check_nested") this.#changes.put(step, unknownsAsNull(planned!));
    else this.#editor.remove(resourceOf(step), change.address);
  }

  /** Returns a function that computes the value of a resource from the current state. */
  #valueFromState(declaration: ResourceDeclaration): () => Value {
    const { attributes } = this.run.schema(declaration);
    // Undeclared objects that this apply deletes are not instances of the resource.
    const deletedKeys = new Set(
      (this.#steps.get(declaration.address) ?? [])
        .filter(({ declared }) => declared === undefined)
        .map(({ change }) => change.indexKey),
    );
    const instances = this.#editor
      .instances(declaration.address)
      .filter(({ indexKey }) => !deletedKeys.has(indexKey));
    return () => {
      const values = instances.map((instance): [InstanceKey, Value] => [
        instance.indexKey,
        storedValue(this.run, declaration, instance),
      ]);
      return aggregate(declaration, new Map(values)) ?? unknown(impliedType(attributes));
    };
  }

  /**
   * Removes objects from the state after other addresses have taken over these objects. If the change at one of these
   * addresses was not applied, the object stays in the state until the next run.
   */
  #releaseHandedOver(): void {
    for (const step of this.plan.steps) {
      const { change, handedTo } = step;
      if (change.action !== "forget" || handedTo === undefined) continue;
      if (!handedTo.some((address) => this.#notApplied.has(address)))
        this.#editor.remove(resourceOf(step), nameOfStep(step));
    }
  }
}
