import { type Diagnostic, DiagnosticError, error, hasErrors } from "../../diagnostics";
import type { State, StateBackend } from "../../state";
import { shellWord } from "../../text";
import { type ApplyResult, applyPlan } from "../apply/apply-plan";
import { detectDrift } from "../drift/detect-drift";
import { detectStateDrift } from "../drift/state-drift";
import { applyStateRepair, planStateRepair, type StateRepair } from "../drift/state-repair";
import { type ImportResult, importObject } from "../import/import-object";
import type { DriftedObject, DriftReport } from "../model/drift";
import type { PlanMode } from "../model/plan";
import { createPlan } from "../plan/create-plan";
import {
  checkConfiguration,
  checkGivenVariables,
  checkServices,
  checkState,
  checkVariables,
  contextFor,
} from "../plan-file/check-basis";
import { type Confirmed, confirmPlan } from "../plan-file/confirm-plan";
import { savePlan } from "../plan-file/save-plan";
import type { SavedPlan } from "../plan-file/schema";
import { openState } from "../recovery/open-state";
import { pendingWarning } from "../recovery/pending-journal";
import type { RunContext, VariableInput } from "../run/context";
import type { StackOfApp } from "../stacks/compare-stacks";
import type { ExecutablePlan } from "../steps/executable-plan";
import { validateConfiguration } from "../validate/validate-configuration";
import type { StacksEvent } from "./events";

/** What an `OpenStack` is made of. */
interface Parts {
  readonly name: string | undefined;
  readonly context: RunContext;
  /** Opened once it is needed: what reads no state needs no backend that this engine supports. */
  readonly backend: () => StateBackend;
  readonly ofApp: StackOfApp | undefined;
  readonly onEvent: (event: StacksEvent) => void;
}

/** How a plan is made. */
export interface PlanOptions {
  readonly mode?: PlanMode | undefined;
  /** Addresses of instances that are replaced though nothing else asks for it. */
  readonly replace?: readonly string[] | undefined;
}

/**
 * One stack in a run: its configuration, its state, and what can be done with them. `recover` or `read` comes first, as
 * everything else rests on the state that they read.
 */
export class OpenStack {
  /** Nothing for a configuration that is no stack of an app. */
  readonly name: string | undefined;
  readonly #openBackend: () => StateBackend;
  readonly #ofApp: StackOfApp | undefined;
  readonly #onEvent: Parts["onEvent"];
  #context: RunContext;
  #state: State | undefined;
  #backend: StateBackend | undefined;

  constructor({ name, context, backend, ofApp, onEvent }: Parts) {
    this.name = name;
    this.#openBackend = backend;
    this.#context = context;
    this.#ofApp = ofApp;
    this.#onEvent = onEvent;
  }

  /** The signal that ends the run before its time. */
  get stop(): AbortSignal | undefined {
    return this.#context.stop;
  }

  /** Where the state is. @throws DiagnosticError where this engine does not support it */
  get backend(): StateBackend {
    this.#backend ??= this.#openBackend();
    return this.#backend;
  }

  /** Why objects that an interrupted run left open can't be worked on. */
  get pendingRecovery(): readonly Diagnostic[] {
    return this.#context.pendingRecovery?.diagnostics ?? [];
  }

  /**
   * Reads the state, which has to be locked, and recovers what an interrupted run left open.
   *
   * @throws DiagnosticError where nothing can be recovered, or with `wholly` where anything can't
   */
  async recover({ wholly = false }: { readonly wholly?: boolean } = {}): Promise<void> {
    const context = wholly ? { ...this.#context, failFast: true } : this.#context;
    const opened = await openState(context, this.backend);
    this.#context = opened.context;
    this.#state = opened.state;
    this.#tell(opened.diagnostics);
  }

  /** Reads the state without a lock. Warns where an interrupted run left something open, which stays as it is. */
  async read(): Promise<void> {
    this.#tell(await pendingWarning(this.backend));
    this.#state = await this.backend.read();
  }

  /** Checks the configuration against the schemas. Reads no state, and asks nothing of the service. */
  validate(): readonly Diagnostic[] {
    return validateConfiguration(this.#context);
  }

  /** Works out what applying the configuration would do. */
  plan({ mode = "normal", replace = [] }: PlanOptions = {}): Promise<ExecutablePlan> {
    return createPlan({ ...this.#context, replace }, this.#state, mode, this.#ofApp);
  }

  /** Whether there is anything of a plan to apply, once it is approved. */
  canApply({ applicable, diagnostics, hasChanges }: ExecutablePlan): boolean {
    // What is gone with its whole container leaves the state, whatever else is wrong.
    const drops = diagnostics.some(({ code }) => code === "container_gone");
    const isIdle = hasErrors(diagnostics) && !hasChanges && !drops;
    return applicable && !this.stop?.aborted && !isIdle;
  }

  /** Does what a plan of this stack shows, and saves the state as it goes. */
  apply(plan: ExecutablePlan): Promise<ApplyResult> {
    return applyPlan(this.#context, plan, this.backend);
  }

  /** Looks for what was changed by hand in what the configuration declares; with `coverage` also for what nobody declares. */
  drift(options: { readonly coverage?: boolean } = {}): Promise<DriftReport> {
    return detectDrift(this.#context, this.#state, options);
  }

  /** Looks for what was changed by hand in a state that another engine keeps. This stack has a provider and nothing else. */
  driftOfState(state: State): Promise<DriftReport> {
    return detectStateDrift(this.#context, state);
  }

  /** Plans to put back what drifted from a state that another engine keeps. */
  planStateRepair(state: State, drifted: readonly DriftedObject[]): Promise<StateRepair> {
    return planStateRepair(this.#context, state, drifted);
  }

  /** Puts it back, and writes no state. */
  applyStateRepair(state: State, repair: StateRepair): Promise<ApplyResult> {
    return applyStateRepair(this.#context, state, repair);
  }

  /** Takes a live object into the state, by the id that the provider imports it by. */
  import(address: string, id: string): Promise<ImportResult> {
    return importObject(this.#context, this.backend, address, id, this.#ofApp);
  }

  /** An id as it may be shown: without the sensitive values that are a part of it. */
  shownId(id: string): string {
    return this.#context.sensitive?.redactId(id) ?? id;
  }

  /** Makes of a plan of this stack what a file may hold. */
  save(plan: ExecutablePlan): Promise<SavedPlan> {
    return savePlan(this.#context, plan);
  }

  /** Goes on with the targets and the variables of a saved plan. */
  restore(saved: SavedPlan): void {
    this.#context = contextFor(saved, this.#context);
  }

  /**
   * Holds a saved plan against everything that it rests on, and works it out again, without a request to the service.
   *
   * @param given variables of the command line, which have to be those of the plan
   * @param file how errors name the saved plan
   */
  async confirm(
    saved: SavedPlan,
    given: Readonly<Record<string, VariableInput>>,
    file: string,
  ): Promise<Confirmed> {
    const context = contextFor(saved, this.#context);
    const stale = checkConfiguration(saved, context);
    if (hasErrors(stale)) return { diagnostics: stale };
    const state = await this.backend.read();
    const found = [
      ...(saved.record.applicable ? [] : [notApplicable(file)]),
      ...checkGivenVariables(saved, context, given),
      ...checkVariables(saved, context),
      ...checkState(saved, state, this.backend.description),
    ];
    // Nothing is asked of a service before it is known that it is the right one.
    if (hasErrors(found)) return { diagnostics: found };
    const elsewhere = await checkServices(saved, context);
    if (hasErrors(elsewhere)) return { diagnostics: elsewhere };
    return confirmPlan(saved, context, state, this.#ofApp);
  }

  /** Refuses a saved plan that was made on another state than the one that was read. @throws DiagnosticError */
  refuseStale(saved: SavedPlan): void {
    const stale = checkState(saved, this.#state, this.backend.description);
    if (hasErrors(stale)) throw new DiagnosticError(stale);
  }

  /** Tells the other stacks of the app that this one may have another state by now. */
  async end(): Promise<void> {
    if (this.#backend !== undefined)
      await this.#ofApp?.app.stateWritten(this.#ofApp.name, this.#backend.version);
  }

  #tell(diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length > 0) this.#onEvent({ kind: "diagnostics", diagnostics });
  }
}

const notApplicable = (file: string) =>
  error({
    code: "saved_plan_not_applicable",
    summary: "Saved plan can't be applied",
    detail: `The plan in ${file} has errors in its declarations. Nothing was sent. \`steward show ${shellWord(file)}\` shows them; fix them, then plan again.`,
  });
