import { hasErrors } from "../../diagnostics";
import type { StoredState } from "../../framework";
import { objectName } from "../../language";
import type { InstanceState, StateEdit } from "../../state";
import { APPLY_CONCURRENCY } from "../stack-run/context";
import type { StackRun } from "../stack-run/stack-run";
import { resourceIdentity, type Step, schemaOf, stateInstance, storedValues } from "../steps/steps";
import { destroyNode, resourceOf } from "./apply-graph";
import type { ApplyState } from "./apply-state";
import { ChangeSender, type SendInTurn, type StepResult } from "./apply-step";

/** Applies changes of single objects to the service, the journal and the state, and emits their events. */
export class ObjectChanges {
  /** The number of applied changes, by kind. */
  readonly done = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
  /**
   * The names of the changes that were not sent before the run ended. The name of a delete is the id of its node. The name of
   * any other change is its address.
   */
  readonly skipped = new Set<string>();
  /**
   * The deposed keys of replaced objects, by address. This run creates the replacement before it deletes the object.
   */
  readonly #deposed = new Map<string, string>();
  #finished = 0;
  #hasFailed = false;
  readonly #begun: Slots;
  readonly #sent: Slots;

  /**
   * @param total the number of changes, for progress events
   * @param vanished objects in the state that the plan did not find on the service, by address
   */
  constructor(
    private readonly run: StackRun,
    private readonly state: ApplyState,
    private readonly total: number,
    private readonly vanished: ReadonlyMap<string, StoredState>,
  ) {
    const { parallelism } = run.context;
    const width = parallelism ?? APPLY_CONCURRENCY;
    // While `width` changes are sent, the journal records the intents of `width` other changes. It records them in groups of
    // half of `width`, because one write is faster than many.
    this.#begun = new Slots(2 * width, Math.ceil(width / 2));
    this.#sent = new Slots(parallelism ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Updates the dependencies that the state records for an unchanged object. The configuration can have changed the
   * dependencies since the object was created.
   */
  keep(step: Step): StepResult {
    const { change, object, dependencies, createBeforeDestroy } = step;
    const prior = step.prior;
    if (change.importing !== undefined) this.put(step, prior!);
    else if (object !== undefined) {
      const { createBeforeDestroy: _before, ...instance } = this.state.editor.find(
        resourceOf(step),
        change.address,
      )!;
      this.state.editor.put(object.resource, {
        ...instance,
        dependencies: [...dependencies],
        ...(createBeforeDestroy && { createBeforeDestroy: true }),
      });
    }
    return { state: prior, diagnostics: [] };
  }

  /** Creates, updates or replaces the object of a step. The delete of a replaced object has its own node. */
  async createOrUpdate(step: Step): Promise<StepResult> {
    const { action, address } = step.change;
    const resource = resourceOf(step);
    const deposed = action === "create-then-delete" ? this.#depose(step) : undefined;
    const operation = action === "update" ? "update" : "create";
    const result = await this.#withEvents(step, operation, (sender) => sender.applyStep());
    const edits: StateEdit[] = [];
    if (deposed !== undefined && result.state === undefined) {
      this.state.editor.restore(resource, address, deposed);
      this.#deposed.delete(address);
      this.state.schedule();
    } else if (deposed !== undefined) {
      edits.push({
        put: this.state.editor.find(resource, objectName(address, deposed))!,
        in: resourceIdentity(this.run, step),
      });
    }
    if (result.isSkipped) this.skipped.add(address);
    else if (result.state !== undefined) edits.push(this.put(step, result.state, result.tainted));
    this.#commit(result, edits);
    if (isDone(result)) this.#count(operation);
    return result;
  }

  #depose(step: Step): string {
    const deposed = this.state.editor.depose(resourceOf(step), step.change.address);
    this.#deposed.set(step.change.address, deposed);
    this.state.schedule();
    return deposed;
  }

  /** Deletes the object of a step. */
  async destroy(step: Step): Promise<"done" | "failed"> {
    const deposed = step.change.deposed ?? this.#deposed.get(step.change.address);
    const name = objectName(step.change.address, deposed);
    const held = this.state.editor.find(resourceOf(step), name);
    const result = await this.#withEvents(step, "delete", (sender) => sender.destroyStep(held), deposed);
    this.#commit(result, result.isSkipped ? [] : this.#editsAfterDelete(step, result, deposed));
    if (isDone(result)) this.#count("delete");
    if (!result.isSkipped) return this.run.report(result.diagnostics);
    this.skipped.add(destroyNode(step));
    return "failed";
  }

  /**
   * Edits the state after a delete, and returns the edits for the journal. If the object still exists, the state gets the
   * values that the provider returned. A deposed object loses its `create_before_destroy` flag, as under Terraform.
   */
  #editsAfterDelete(step: Step, { state }: StepResult, deposed: string | undefined): StateEdit[] {
    if (state === undefined) return [this.#remove(step, deposed)];
    const { editor } = this.state;
    const held = editor.find(resourceOf(step), objectName(step.change.address, deposed));
    if (held === undefined) return [];
    const { createBeforeDestroy, private: _before, ...kept } = held;
    const instance: InstanceState = {
      ...kept,
      ...(deposed === undefined && createBeforeDestroy && { createBeforeDestroy }),
      schemaVersion: schemaOf(this.run, step).version,
      ...storedValues(state, schemaOf(this.run, step)),
    };
    editor.put(resourceIdentity(this.run, step), instance);
    this.state.schedule();
    return [{ put: instance, in: resourceIdentity(this.run, step) }];
  }

  /** Applies one change, and emits its start event and its end event. A skipped change has no events. */
  async #withEvents(
    step: Step,
    action: "create" | "update" | "delete",
    apply: (sender: ChangeSender) => Promise<StepResult>,
    deposed?: string,
  ): Promise<StepResult> {
    const { change } = step;
    const { onEvent } = this.run.context;
    const { address } = change;
    const of = { address, ...(deposed !== undefined && { deposed }) };
    const id = action === "create" ? undefined : change.before?.["id"];
    let started: number | undefined;
    const start = () => {
      started = performance.now();
      onEvent?.({ kind: "apply_start", ...of, action, ...(typeof id === "string" && { id }) });
    };
    const inTurn: SendInTurn = (send) =>
      this.#sent.during(async () => {
        if (this.#isOver) return undefined;
        start();
        let hasFailed = true;
        try {
          const answer = await send();
          hasFailed = hasErrors(answer.diagnostics);
          return answer;
        } finally {
          this.#hasFailed ||= hasFailed;
        }
      });
    const vanished = change.action === "create" ? this.vanished.get(address) : undefined;
    const sender = new ChangeSender(this.run, this.state.journal, step, inTurn, vanished);
    const result = await this.#begun.during(() => apply(sender));
    if (result.isSkipped) return result;
    if (started === undefined) start();
    const milliseconds = performance.now() - started!;
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
    onEvent?.({ kind: "progress", phase: "apply", done: ++this.#finished, total: this.total });
    return result;
  }

  /** Whether the run must stop sending changes. */
  get #isOver(): boolean {
    const { stop, failFast } = this.run.context;
    return stop?.aborted === true || (failFast === true && this.#hasFailed);
  }

  /** Stores the object of a step in the state. Returns the edit for the journal. */
  put(step: Step, state: StoredState, tainted = false): StateEdit {
    const { change, sensitive } = step;
    const { mode, indexKey: key } = change;
    const dependencies = mode === "managed" ? step.dependencies : [];
    const { createBeforeDestroy } = step;
    const identity = resourceIdentity(this.run, step);
    const metadata = { key, sensitive, dependencies, tainted, createBeforeDestroy };
    const instance = stateInstance(state, schemaOf(this.run, step), metadata);
    this.state.editor.put(identity, instance);
    this.state.schedule();
    return { put: instance, in: identity };
  }

  #remove(step: Step, deposed: string | undefined): StateEdit {
    const { address } = step.change;
    this.state.editor.remove(resourceOf(step), objectName(address, deposed));
    this.state.schedule();
    return {
      remove: address,
      from: resourceIdentity(this.run, step),
      ...(deposed !== undefined && { deposed }),
    };
  }

  /**
   * Records the commit of a change in the journal. The commit must be on disk before Steward sends a request that depends on
   * the change.
   */
  #commit({ intent }: StepResult, edits: readonly StateEdit[]): void {
    if (intent !== undefined) this.state.journal.recordCommit(intent, edits);
  }

  #count(action: Step["change"]["action"]): void {
    if (action === "update") this.done.change++;
    else if (action === "delete") this.done.remove++;
    else this.done.add++;
  }
}

const isDone = ({ diagnostics, isSkipped }: StepResult): boolean => !isSkipped && !hasErrors(diagnostics);

/**
 * Limits concurrent work to a number of slots. Work without a free slot waits. Waiting work begins in groups, so that
 * the journal writes all intents of a group at once.
 */
class Slots {
  readonly #waiting = new Set<() => void>();

  /** @param group the number of slots that must be free before any waiting work begins */
  constructor(
    private free: number,
    private readonly group = 1,
  ) {}

  async during<R>(work: () => Promise<R>): Promise<R> {
    if (this.#waiting.size === 0 && this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    try {
      return await work();
    } finally {
      this.free += 1;
      if (this.free >= this.group) this.#startNext();
    }
  }

  #startNext(): void {
    for (const start of this.#waiting) {
      if (this.free === 0) return;
      this.free -= 1;
      this.#waiting.delete(start);
      start();
    }
  }
}
