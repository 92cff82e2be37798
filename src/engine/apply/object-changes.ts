import { hasErrors } from "../../diagnostics";
import type { StoredState } from "../../framework";
import { objectName } from "../../language";
import type { InstanceState, StateEdit } from "../../state";
import type { ChangeSummary } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import { namedOf, schemaOf, stateInstance, stored } from "../steps/state-instance";
import { priorOf, type Step } from "../steps/steps";
import { resourceOf } from "./apply-graph";
import { applyStep, destroyStep, type StepResult } from "./apply-step";
import type { Saving } from "./saving";

/** Changes objects one by one: on the service, in the journal and in the state, and tells of each. */
export class ObjectChanges {
  /** How many were changed, and how. */
  readonly done: { -readonly [K in keyof ChangeSummary]: ChangeSummary[K] } = {
    add: 0,
    change: 0,
    remove: 0,
    import: 0,
    move: 0,
  };
  readonly #run: StackRun;
  readonly #saving: Saving;
  readonly #total: number;
  /** Keys of the objects that this run put aside for their replacements, by address. */
  readonly #deposed = new Map<string, string>();
  #finished = 0;

  /** @param total how many changes there will be */
  constructor(run: StackRun, saving: Saving, total: number) {
    this.#run = run;
    this.#saving = saving;
    this.#total = total;
  }

  /** What is not changed may still depend on something else than when it was made. */
  keep(step: Step): StepResult {
    const { change, object, dependencies, createsBeforeDestroying } = step;
    const prior = priorOf(step);
    if (change.importing !== undefined) this.put(step, prior!);
    else if (object !== undefined) {
      const { createBeforeDestroy: _before, ...instance } = this.#saving.editor.find(
        resourceOf(step),
        change.address,
      )!;
      this.#saving.editor.put(object.resource, {
        ...instance,
        dependencies: [...dependencies],
        ...(createsBeforeDestroying && { createBeforeDestroy: true }),
      });
    }
    return { state: prior, diagnostics: [] };
  }

  /** Creates, updates or replaces the object of a step; the end of one that is replaced is a change of its own. */
  async make(step: Step): Promise<StepResult> {
    const { action, address } = step.change;
    const resource = resourceOf(step);
    const deposed = action === "create-then-delete" ? this.#depose(step) : undefined;
    const begun = action === "update" ? "update" : "create";
    const result = await this.#tell(step, begun, () => applyStep(this.#run, step, this.#saving.journal));
    const edits: StateEdit[] = [];
    if (deposed !== undefined && result.state === undefined) {
      this.#saving.editor.restore(resource, address, deposed);
      this.#deposed.delete(address);
      this.#saving.schedule();
    } else if (deposed !== undefined) {
      edits.push({
        put: this.#saving.editor.find(resource, objectName(address, deposed))!,
        in: namedOf(step),
      });
    }
    if (result.state !== undefined) edits.push(this.put(step, result.state, result.tainted));
    this.#end(result, edits);
    if (!hasErrors(result.diagnostics)) this.#count(begun);
    return result;
  }

  #depose(step: Step): string {
    const deposed = this.#saving.editor.depose(resourceOf(step), step.change.address);
    this.#deposed.set(step.change.address, deposed);
    this.#saving.schedule();
    return deposed;
  }

  /** Ends the object of a step. */
  async destroy(step: Step): Promise<"done" | "failed"> {
    const deposed = step.change.deposed ?? this.#deposed.get(step.change.address);
    const name = objectName(step.change.address, deposed);
    const held = this.#saving.editor.find(resourceOf(step), name);
    const result = await this.#tell(
      step,
      "delete",
      () => destroyStep(this.#run, step, held, this.#saving.journal),
      deposed,
    );
    this.#end(result, this.#afterEnd(step, result, deposed));
    if (!hasErrors(result.diagnostics)) this.#count("delete");
    return this.#run.report(result.diagnostics);
  }

  /**
   * What an end leaves in the state: of an object that is still there what the provider says of it, and of a deposed one
   * nothing of its order, as under Terraform.
   */
  #afterEnd(step: Step, { state }: StepResult, deposed: string | undefined): StateEdit[] {
    if (state === undefined) return [this.#remove(step, deposed)];
    const { editor } = this.#saving;
    const held = editor.find(resourceOf(step), objectName(step.change.address, deposed));
    if (held === undefined) return [];
    const { createBeforeDestroy, private: _before, ...kept } = held;
    const instance: InstanceState = {
      ...kept,
      ...(deposed === undefined && createBeforeDestroy && { createBeforeDestroy }),
      schemaVersion: schemaOf(this.#run, step).version,
      ...stored(state),
    };
    editor.put(namedOf(step), instance);
    this.#saving.schedule();
    return [{ put: instance, in: namedOf(step) }];
  }

  /** Runs one change between the events that tell of it. */
  async #tell(
    { change }: Step,
    action: "create" | "update" | "delete",
    work: () => Promise<StepResult>,
    deposed?: string,
  ): Promise<StepResult> {
    const { onEvent } = this.#run.context;
    const { address } = change;
    const of = { address, ...(deposed !== undefined && { deposed }) };
    const id = action === "create" ? undefined : change.before?.["id"];
    const started = performance.now();
    onEvent?.({ kind: "apply_start", ...of, action, ...(typeof id === "string" && { id }) });
    const result = await work();
    const milliseconds = performance.now() - started;
    const { state, diagnostics } = result;
    if (hasErrors(diagnostics))
      onEvent?.({ kind: "apply_errored", ...of, action, milliseconds, diagnostics });
    else {
      const newId = state?.attributes["id"];
      onEvent?.({
        kind: "apply_complete",
        ...of,
        action,
        milliseconds,
        ...(typeof newId === "string" && { id: newId }),
      });
    }
    onEvent?.({ kind: "progress", phase: "apply", done: ++this.#finished, total: this.#total });
    return result;
  }

  /** Puts an object as it is now into the state. */
  put(step: Step, state: StoredState, tainted = false): StateEdit {
    const { change, sensitive } = step;
    const { mode, indexKey: key } = change;
    const dependencies = mode === "managed" ? step.dependencies : [];
    const { createsBeforeDestroying: createBeforeDestroy } = step;
    const named = namedOf(step);
    const particulars = { key, sensitive, dependencies, tainted, createBeforeDestroy };
    const instance = stateInstance(state, schemaOf(this.#run, step), particulars);
    this.#saving.editor.put(named, instance);
    this.#saving.schedule();
    return { put: instance, in: named };
  }

  #remove(step: Step, deposed: string | undefined): StateEdit {
    const { address } = step.change;
    this.#saving.editor.remove(resourceOf(step), objectName(address, deposed));
    this.#saving.schedule();
    return { remove: address, from: namedOf(step), ...(deposed !== undefined && { deposed }) };
  }

  /** What was answered is durable before anything that depends on it is sent. */
  #end({ begun }: StepResult, edits: readonly StateEdit[]): void {
    if (begun !== undefined) this.#saving.journal.recordCommit(begun, edits);
  }

  #count(action: Step["change"]["action"]): void {
    if (action === "update") this.done.change++;
    else if (action === "delete") this.done.remove++;
    else this.done.add++;
  }
}
