import { existsSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import { replaceFile } from "../../files";
import { type Configuration, type ResourceDeclaration, resourceAddress } from "../../language";
import {
  Journal,
  type OutputState,
  type ResourceState,
  readableState,
  type StateBackend,
  type StateEditor,
  StateWriter,
  stateIoError,
} from "../../state";
import { foreignTest } from "../objects/objects";
import { nameOfStep } from "../plan/planned-steps";
import { createRecoveryProblems, recoveryProblems } from "../recovery/pending-recovery";
import { FleetSelectors } from "../selection/fleet-selectors";
import type { PendingRecovery, RunContext } from "../stack-run/context";
import { expand } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import {
  type ExecutablePlan,
  fleetRecord,
  type Step,
  schemaOf,
  storedValues,
  storeFound,
} from "../steps/steps";
import { resourceOf } from "./apply-graph";

/**
 * The state during an apply. The state is edited in memory and saved periodically. The journal records the changes that
 * are not saved yet.
 */
export class ApplyState {
  readonly journal: Journal;
  readonly #writer: StateWriter;

  constructor(
    private readonly backend: StateBackend,
    readonly editor: StateEditor,
    pendingRecovery: PendingRecovery | undefined,
  ) {
    const journal = new Journal(backend.journal, editor.lineage, backend.version, pendingRecovery?.intents);
    this.journal = journal;
    this.#writer = new StateWriter({
      async write(state) {
        const { position } = journal;
        await backend.write(state, (version) => journal.recordSave(version));
        journal.saved(position, backend.version);
      },
    });
  }

  /** Schedules a save of the current state. */
  schedule(): void {
    this.#writer.schedule(() => this.editor.snapshot());
  }

  /**
   * Saves the current state now, before the first request is sent.
   *
   * @throws DiagnosticError if the state can't be written
   */
  async saveNow(): Promise<void> {
    this.schedule();
    await this.#writer.flush();
  }

  /**
   * Saves all unsaved changes.
   *
   * @returns the errors; each error also names the place where the changes are recorded instead
   */
  async flush(): Promise<readonly Diagnostic[]> {
    try {
      await this.#writer.flush();
      await this.journal.close();
      return [];
    } catch (problem) {
      if (!(problem instanceof DiagnosticError)) throw problem;
      await this.journal.leave();
      return [...problem.diagnostics, ...(await this.#saveElsewhere())];
    }
  }

  /** Saves the state in the working folder if neither the state nor the whole journal could be written. */
  async #saveElsewhere(): Promise<readonly Diagnostic[]> {
    if (this.journal.coverage !== "part")
      return this.journal.coverage === "all" ? [notSaved(this.backend)] : [];
    const file = unusedFile();
    try {
      await replaceFile(file, { text: readableState(this.editor.snapshot()), reader: "text" });
      return [savedElsewhere(this.backend, file)];
    } catch (problem) {
      const failed = stateIoError(problem, "write", file);
      return [...(failed instanceof DiagnosticError ? failed.diagnostics : []), notConfirmed(this.backend)];
    }
  }
}

/**
 * Returns a path for `errored.tfstate`, the name that Terraform uses. If an earlier run left an `errored.tfstate`, the name gets
 * a number.
 */
function unusedFile(): string {
  for (let number = 1; ; number += 1) {
    const file = path.resolve(number === 1 ? "errored.tfstate" : `errored-${number}.tfstate`);
    if (!existsSync(file)) return file;
  }
}

const notSaved = ({ description, journal }: StateBackend): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "State not saved, but the journal has the changes",
    detail: `The state ${description} lacks some changes of this run. The journal ${journal.description} contains all of them. Keep that file and fix the other errors. The next run recovers the changes from the journal.`,
  });

const savedElsewhere = ({ description }: StateBackend, file: string): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "State saved to another file",
    detail: `Neither the state ${description} nor its journal could be written. The state was saved to ${file} instead. Fix the other errors, replace the state with that file, then run again.`,
  });

const notConfirmed = ({ description, journal }: StateBackend): Diagnostic =>
  error({
    code: "state_not_saved",
    summary: "Some changes are not confirmed",
    detail: `The state ${description} lacks some changes of this run. The journal ${journal.description} lists the started changes. Fix the other errors, then run again. The next run checks on the service which changes were made.`,
  });

/**
 * Updates a state with results of the plan, before the first change is sent. The results are refreshed, imported and forgotten
 * objects, and known outputs.
 */
export function prepareState(run: StackRun, editor: StateEditor, plan: ExecutablePlan): void {
  const { resources } = run.context.configuration;
  storeFound(run, editor, withoutTaken(plan));
  recordFleets(run, editor, plan);
  for (const step of plan.steps) {
    const { change, object } = step;
    // An object that other addresses take over stays in the state until these addresses are applied.
    if (change.action === "forget" && step.handedTo === undefined)
      editor.remove(resourceOf(step), nameOfStep(step));
    const prior = step.prior;
    // An older release may have written the state. It then lacks the identity of the object, or the ids of its paths, so this
    // code adds them.
    const isIdentified = prior?.identity !== undefined && object?.instance.identity === undefined;
    const isLearned = prior?.private !== undefined && prior.private !== object?.instance.private;
    const isNew = change.action === "no-op" && object !== undefined && (isIdentified || isLearned);
    if (change.importing !== undefined || isNew)
      editor.put(object!.resource, { ...object!.instance, ...storedValues(prior!, schemaOf(run, step)) });
  }
  for (const { action, name, after, afterType: type, sensitive } of plan.outputs)
    if ((action === "create" || action === "update") && type !== undefined && after !== null)
      editor.setOutput(name, { value: after as OutputState["value"], type, sensitive });
  const isForeign = foreignTest(run);
  editor.removeResources(
    (resource, address) => resource.mode === "data" && !resources.has(address) && !isForeign(resource),
  );
}

/**
 * Records the fleets of all resources in the state, even of resources that this run does not change. An apply calls the
 * function again after the changes, because the selectors of a fleet can be compared only after the fleet's lists are
 * read.
 */
export function recordFleets(run: StackRun, editor: StateEditor, { foundFleets }: ExecutablePlan): void {
  const { configuration } = run.context;
  const selectors = configuration.fleets.size === 0 ? undefined : new FleetSelectors(run);
  editor.recordFleets((resource) => {
    const address = resourceAddress(resource);
    const declaration = configuration.resources.get(address);
    if (declaration !== undefined) return recordedFleet(selectors, configuration, declaration, resource);
    // A recorded null is kept too. It means that the resource belonged to no fleet.
    return resource.fleet === undefined ? foundFleets?.get(address) : resource.fleet;
  });
}

/**
 * Returns the record of a declared resource's fleet. While the lists of the fleet are not known, the record contains the
 * matches of the earlier record.
 */
function recordedFleet(
  selectors: FleetSelectors | undefined,
  configuration: Configuration,
  declaration: ResourceDeclaration,
  { fleet: before, instances }: ResourceState,
): ResourceState["fleet"] {
  const keys = instances.map(({ indexKey }) => indexKey);
  const record = fleetRecord(configuration, declaration, keys);
  if (record == null) return record;
  const matched = selectors?.matched(configuration.fleets.get(declaration.fleet!)!) ?? before?.matched;
  return matched === undefined ? record : { ...record, matched };
}

/**
 * Returns the drifted objects, except vanished objects with a path that now belongs to another container. Such an object stays
 * in the state, because only the state still has the id for this path.
 */
function withoutTaken({ drifted, diagnostics }: ExecutablePlan): ExecutablePlan["drifted"] {
  const taken = new Set(
    diagnostics.filter(({ code }) => code === "reference_taken").map(({ address }) => address),
  );
  return taken.size === 0
    ? drifted
    : drifted.filter(({ object, live }) => live !== undefined || !taken.has(object.address));
}

/**
 * Removes from a plan the steps of objects whose recovery is pending. A saved plan can contain steps for these objects, because
 * the plan can be older than the interrupted run.
 */
export function excludePending(context: RunContext, plan: ExecutablePlan) {
  const { pendingRecovery } = context;
  if (pendingRecovery === undefined) return { plan, diagnostics: [] };
  const reasons = new Map<Step, readonly Diagnostic[]>();
  for (const step of plan.steps) {
    const problems = [
      ...recoveryProblems(pendingRecovery, step.change.address),
      ...createRecoveryProblems(pendingRecovery, step.change),
    ];
    if (problems.length > 0) reasons.set(step, problems);
  }
  if (reasons.size === 0) return { plan, diagnostics: [] };
  const steps = plan.steps.filter((step) => !reasons.has(step));
  const blocked = [...plan.blocked, ...[...reasons.keys()].map(resourceOf)];
  return { plan: { ...plan, steps, blocked }, diagnostics: [...reasons.values()].flat() };
}

/** Returns the steps with newly expanded instances, because `count` and `each` may have been unknown at plan time. */
export function rebindInstances(
  run: StackRun,
  declaration: ResourceDeclaration,
  steps: readonly Step[],
): readonly Step[] {
  const { instances } = expand(declaration, run.evaluation);
  const byAddress = new Map(instances.map((instance) => [instance.address, instance]));
  return steps.map((step) => {
    const instance = byAddress.get(step.change.address);
    return instance === undefined ? step : { ...step, declared: { declaration, instance } };
  });
}
