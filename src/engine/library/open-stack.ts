import { type Diagnostic, DiagnosticError, error, hasErrors } from "../../diagnostics";
import type { ContainerSelection } from "../../framework";
import type { ValueObject } from "../../schema";
import type { State, StateBackend } from "../../state";
import { type ApplyResult, applyPlan } from "../apply/apply-plan";
import { withoutKey } from "../declarations/address-keys";
import type { DriftOptions } from "../drift/coverage";
import { detectDrift } from "../drift/detect-drift";
import type { DriftAccess } from "../drift/found-drift";
import type { ListLiveOptions } from "../drift/list-live";
import { planStateRepair } from "../drift/repair";
import { detectStateDrift } from "../drift/state-drift";
import { type ImportResult, importObject } from "../import/import-object";
import { createPlan } from "../plan/create-plan";
import { type Explanation, explain } from "../plan/explain";
import {
  checkConfiguration,
  checkEphemeralVariables,
  checkServices,
  checkState,
  checkVariables,
  contextFor,
  interruptedSince,
} from "../plan-file/basis";
import { type Confirmed, confirmPlan } from "../plan-file/confirm-plan";
import { type Receivers, receiversOf } from "../plan-file/receivers";
import { savePlan } from "../plan-file/save-plan";
import type { SavedPlan } from "../plan-file/schema";
import {
  type ObjectOfService,
  type ServiceUser,
  servicesOf,
  serviceUsersOf,
  stillLive,
} from "../plan-file/services";
import { pendingWarning } from "../recovery/merge-journal";
import { openState, recoverRun } from "../recovery/open-state";
import {
  changedByOtherRun,
  changedMeanwhile,
  readUnlocked,
  type UnlockedState,
} from "../recovery/unlocked-state";
import type { DriftedObject, DriftReport, LiveListing } from "../results/drift";
import type { PlanMode } from "../results/plan";
import type { KnownRights, PlanWishes, RunContext, VariableInput } from "../stack-run/context";
import type { StackOfApp } from "../stacks/app-stacks";
import type { ExecutablePlan } from "../steps/steps";
import { validateConfiguration } from "../validate/validate-configuration";
import { listWithProvider } from "./list-stack";
import type { StacksEvent } from "./run";

interface OpenStackParts {
  readonly name: string | undefined;
  readonly context: RunContext;
  /**
   * Opens the backend on first use. Operations that need no state therefore also work with backends that this engine does not
   * support.
   */
  readonly backend: () => StateBackend;
  /**
   * Is called if the backend has no state. Throws if the stack has a state in a place other than its backend, such as a file that
   * it used before.
   */
  readonly requireNoOtherState: () => Promise<void>;
  readonly ofApp: StackOfApp | undefined;
  /** The token rights that the runs over this stack have already read for an apply. */
  readonly rightsKnown: KnownRights;
  readonly onEvent: (event: StacksEvent) => void;
}

/** The options of a plan. */
export interface PlanOptions extends PlanWishes {
  readonly mode?: PlanMode | undefined;
  /** Whether to import live objects that block a create and that no state contains. By default, each such object is an error. */
  readonly importExisting?: boolean | undefined;
  /**
   * Addresses of the objects that this plan leaves out, in addition to the excludes of the run. Not allowed together with
   * targets.
   */
  readonly leaveOut?: readonly string[] | undefined;
  /** Paths of containers to which this plan is restricted, instead of the containers of the run. */
  readonly containers?: readonly string[] | undefined;
  /** Whether this run will apply the plan after an approval. The plan then also reads the rights of the token. Default: false. */
  readonly willApply?: boolean | undefined;
}

/** One stack in a run. Call `recover` or `read` before methods that need the state, such as `plan`. */
export class OpenStack {
  /**
   * The parts and the context are private fields, because a printed object must not show values of variables and of the
   * environment.
   */
  readonly #parts: OpenStackParts;
  #context: RunContext;
  /** Options of the last plan. If this plan is saved, the file contains these options. */
  #asked: Pick<RunContext, "replace" | "importsExisting" | "allowLeaving"> = {};
  #state: State | undefined;
  /** The state and the journal as `read` found them without the lock; undefined if the run holds the lock. */
  #unlocked: UnlockedState | undefined;
  #backend: StateBackend | undefined;

  constructor(parts: OpenStackParts) {
    this.#parts = parts;
    this.#context = parts.context;
  }

  /** The name of the stack; undefined for a configuration without an app. */
  get name(): string | undefined {
    return this.#parts.name;
  }

  /** The signal that ends the run early. */
  get stop(): AbortSignal | undefined {
    return this.#context.stop;
  }

  /**
   * Returns the backend of the state.
   *
   * @throws DiagnosticError if this engine does not support the backend
   */
  get backend(): StateBackend {
    this.#backend ??= this.#parts.backend();
    return this.#backend;
  }

  /** The reasons why objects with a pending recovery can't change. */
  get pendingRecovery(): readonly Diagnostic[] {
    return this.#context.pendingRecovery?.diagnostics ?? [];
  }

  /**
   * Reads the state, whose lock the caller holds, and recovers an interrupted run.
   *
   * @throws DiagnosticError if nothing can be recovered; with `strict`, also if some changes can't be recovered
   */
  async recover({ strict = false }: { readonly strict?: boolean } = {}): Promise<void> {
    const context = strict ? { ...this.#context, failFast: true } : this.#context;
    const { state, journal } = await openState(this.backend);
    const recovered = journal && (await recoverRun(context, this.backend, journal, state));
    this.#state = journal === undefined ? state : recovered?.state;
    if (this.#state === undefined) await this.#parts.requireNoOtherState();
    const { pendingRecovery, diagnostics = [] } = recovered ?? {};
    this.#context = { ...context, ...(pendingRecovery && { pendingRecovery }) };
    this.#report(diagnostics);
  }

  /**
   * Reads the state without a lock. Adds the commits in the journal of another run. Warns if that run is still in progress or was
   * interrupted. Recovers no run.
   */
  async read(): Promise<void> {
    this.#unlocked = await readUnlocked(this.backend);
    this.#report(this.#unlocked.diagnostics);
    this.#state = this.#unlocked.state;
    if (this.#state === undefined) await this.#parts.requireNoOtherState();
  }

  /**
   * Reads the state and the journal again. Returns errors by address, for objects that another run has changed since
   * the first read, or may be changing now.
   */
  async #changedByOthers(
    objects: readonly Pick<Diagnostic, "address" | "construct">[],
  ): Promise<ReadonlyMap<string, Diagnostic>> {
    const before = this.#unlocked;
    if (before === undefined || objects.length === 0) return new Map();
    const backend = this.#parts.backend();
    const now = await readUnlocked(backend);
    const isChanged = changedMeanwhile(before, now);
    return new Map(
      objects.flatMap((object) =>
        object.address !== undefined && isChanged(object.address)
          ? [[object.address, changedByOtherRun(object, backend, now)] as const]
          : [],
      ),
    );
  }

  /**
   * Returns the services of the stack, each with the user of the token. A command shows this list when it asks for approval.
   * Sends a request to each service.
   */
  serviceUsers(): Promise<readonly ServiceUser[]> {
    return serviceUsersOf(this.#context);
  }

  /**
   * Returns the addresses of the services, by the key of the provider configuration. Sends no request.
   *
   * @param more keys of provider configurations that only objects in the state use
   */
  services(more?: Iterable<string>): Promise<Readonly<Record<string, string>>> {
    return servicesOf(this.#context, more);
  }

  /** Returns the addresses that receive credentials in a run: services, and states over HTTP. Sends no request. */
  receivers(): Promise<Receivers> {
    return receiversOf(this.#context, this.backend);
  }

  /**
   * Returns the objects that still exist on the service, or that can't be read. `isGone` decides from the live values whether an
   * object counts as deleted. Sends requests for each object.
   */
  stillLive<One extends ObjectOfService>(
    objects: readonly One[],
    isGone: (one: One, live: ValueObject) => boolean,
  ): Promise<readonly One[]> {
    return stillLive(this.#context, objects, isGone);
  }

  /** Validates the configuration against the schemas. Reads no state and sends no request. */
  validate(): readonly Diagnostic[] {
    return validateConfiguration(this.#context);
  }

  /** Plans the stack. */
  async plan(options: PlanOptions = {}): Promise<ExecutablePlan> {
    const { mode, replace = [], importExisting: importsExisting = false, leaveOut = [] } = options;
    const { allowLeaving, access, rights, requests, containers = this.#context.containers } = options;
    this.#asked = { replace, importsExisting, allowLeaving };
    const excludes = [...(this.#context.excludes ?? []), ...leaveOut];
    const wanted = { ...this.#asked, access, rights, requests, containers, excludes };
    const rightsKnown = options.willApply === true ? this.#parts.rightsKnown : undefined;
    const context = { ...this.#context, ...wanted, rightsKnown };
    const plan = await createPlan(context, this.#state, mode, this.#parts.ofApp);
    // A run in progress creates objects on the service before the state contains them. Such an object is reported as a change of
    // that run.
    const existing = plan.diagnostics.filter(({ code }) => code === "already_exists");
    const others = await this.#changedByOthers(existing);
    if (others.size === 0) return plan;
    const diagnostics = plan.diagnostics.map((one) =>
      one.code === "already_exists" ? (others.get(one.address ?? "") ?? one) : one,
    );
    return { ...plan, diagnostics };
  }

  /**
   * Returns the objects of one container in a plan of this stack, with the decisions of the plan. Also returns their settings, with
   * the layers and declarations that set them.
   */
  explain(plan: ExecutablePlan, container: string): Explanation {
    return explain(this.#context.configuration, plan, container);
  }

  /** Returns the text of an attribute in a declaration; undefined for an expression or an omitted attribute. */
  declaredText(address: string, attribute: string): string | undefined {
    const declaration = this.#context.configuration.resources.get(withoutKey(address));
    const text = declaration?.body.get(attribute)?.constant?.json;
    return typeof text === "string" ? text : undefined;
  }

  /** Returns whether a plan has anything to apply. */
  canApply({ applicable, diagnostics, hasChanges }: ExecutablePlan): boolean {
    // Even a plan with errors and without changes can have an effect: an apply removes objects from the state whose container was
    // deleted.
    const hasGoneObjects = diagnostics.some(({ code }) => code === "container_gone");
    const hasNothingToApply = hasErrors(diagnostics) && !hasChanges && !hasGoneObjects;
    return applicable && !this.stop?.aborted && !hasNothingToApply;
  }

  /** Applies a plan of this stack. Saves the state during the apply. */
  apply(plan: ExecutablePlan): Promise<ApplyResult> {
    const context = { ...this.#context, rightsKnown: this.#parts.rightsKnown };
    return applyPlan(context, plan, this.backend, this.#parts.ofApp);
  }

  /** Finds changes that were made on the service. With `coverage`, also finds undeclared objects. */
  drift(options: DriftOptions = {}): Promise<DriftReport> {
    const { name, app } = this.#parts.ofApp ?? {};
    const others = app && name !== undefined ? () => app.others(name) : undefined;
    const changedByOthers = (objects: readonly Pick<Diagnostic, "address" | "construct">[]) =>
      this.#changedByOthers(objects);
    return detectDrift(this.#context, this.#state, { ...options, others, changedByOthers });
  }

  /** Lists the live objects of containers. The stack must have one provider and no declarations. */
  listLive(
    selection: ContainerSelection,
    options: Pick<ListLiveOptions, "includesType" | "includesArchived"> = {},
  ): Promise<LiveListing> {
    return listWithProvider(this.#context, selection, options);
  }

  /** Finds drift in a state that another engine manages. The stack must have one provider and no declarations. */
  driftOfState(state: State, options: DriftAccess = {}): Promise<DriftReport> {
    return detectStateDrift(this.#context, state, options);
  }

  /** Plans the repair of drift in a state that another engine manages. The returned `apply` does not write the state. */
  planStateRepair(state: State, drifted: readonly DriftedObject[]) {
    return planStateRepair(this.#context, state, drifted);
  }

  /** Imports a live object into the state. `id` is the import id, in the form that the provider of the object defines. */
  import(address: string, id: string): Promise<ImportResult> {
    return importObject(this.#context, this.backend, address, id, this.#parts.ofApp);
  }

  /** Returns an id with sensitive values redacted. */
  shownId(id: string): string {
    return this.#context.sensitive?.redactId(id) ?? id;
  }

  /** Converts the last plan of this stack to a saved plan. */
  save(plan: ExecutablePlan): Promise<SavedPlan> {
    return savePlan({ ...this.#context, ...this.#asked }, plan);
  }

  /** Sets the targets and the variables of a saved plan for the following operations. */
  restore(saved: SavedPlan): void {
    this.#context = contextFor(saved, this.#context);
  }

  /**
   * Checks that the configuration, the variables, the state and the service match a saved plan, and plans again. Reads
   * only the objects that the plan changes.
   *
   * @param given variables from the command line; their values must equal the values of the plan
   * @param file the name of the saved plan in messages
   */
  async confirm(
    saved: SavedPlan,
    given: Readonly<Record<string, VariableInput>>,
    file: string,
    { requests }: Pick<PlanOptions, "requests"> = {},
  ): Promise<Confirmed> {
    const context = { ...contextFor(saved, this.#context), requests, rightsKnown: this.#parts.rightsKnown };
    const stale = checkConfiguration(saved, context);
    if (hasErrors(stale)) return { diagnostics: stale };
    const state = await this.backend.read();
    const found = [
      ...(saved.record.applicable ? [] : [notApplicable(file)]),
      ...checkVariables(saved, context, given),
      ...checkEphemeralVariables(saved, context),
      ...checkState(saved, state, this.backend.description),
    ];
    // If there are errors, no request is sent. The first requests check that the service is the service of the plan.
    if (hasErrors(found)) return { diagnostics: found };
    const serviceProblems = await checkServices(saved, context);
    if (hasErrors(serviceProblems)) return { diagnostics: serviceProblems };
    const confirmed = await confirmPlan(saved, context, state, this.#parts.ofApp);
    if (!hasErrors(confirmed.diagnostics) || this.stop?.aborted) return confirmed;
    // If a run was interrupted since the plan, its changes are in no state, and look like changes of another owner. The error
    // then names that run.
    const [pending] = await pendingWarning(this.backend);
    return pending ? { diagnostics: [interruptedSince(this.backend.journal.description)] } : confirmed;
  }

  /**
   * Fails if a saved plan is not based on the current state.
   *
   * @throws DiagnosticError
   */
  requireCurrentState(saved: SavedPlan): void {
    const stale = checkState(saved, this.#state, this.backend.description);
    if (hasErrors(stale)) throw new DiagnosticError(stale);
  }

  /** Reports to the app that the state of this stack may have changed, so that other stacks read it again. */
  async close(): Promise<void> {
    if (this.#backend !== undefined)
      await this.#parts.ofApp?.app.stateWritten(this.#parts.ofApp.name, this.#backend.version);
  }

  #report(diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length > 0) this.#parts.onEvent({ kind: "diagnostics", diagnostics });
  }
}

const notApplicable = (file: string) =>
  error({
    code: "saved_plan_not_applicable",
    summary: "Saved plan can't be applied",
    detail: `The plan in ${file} contains errors. Nothing was sent. Fix them, and plan again. To see the errors, show the plan with this command.`,
    action: { kind: "show", file },
  });
