import {
  type Diagnostic,
  DiagnosticError,
  fail,
  hasErrors,
  mergeDiagnostics,
  warning,
} from "../../diagnostics";
import { objectName, resourceAddress } from "../../language";
import {
  type Change,
  emptyState,
  formatJournal,
  type InstanceState,
  type IntentEntry,
  type PendingJournal,
  parseJournal,
  pendingIntents,
  type State,
  type StateBackend,
  StateEditor,
} from "../../state";
import { addProviders, providerNode } from "../declarations/declarations";
import { at, constructOf, objectsOf, providerKeyOf } from "../objects/objects";
import type { EngineEvent } from "../results/events";
import { collectSensitive, sensitivePathsOf } from "../results/redaction";
import type { PendingRecovery, RunContext } from "../stack-run/context";
import { type StackRun, withRun } from "../stack-run/stack-run";
import { evaluateNodes } from "../steps/data-sources";
import { storedValues } from "../steps/steps";
import {
  hasId,
  isKnownVersion,
  type MergedChange,
  mergeCommits,
  mergeMissing,
  requireNoOpenMove,
} from "./merge-journal";
import { recoveryPending } from "./pending-recovery";

/** A state as it was read under its lock. */
export interface LockedState {
  readonly state: State | undefined;
  /** The journal of an interrupted run; undefined if the last run was not interrupted. */
  readonly journal: PendingJournal | undefined;
}

/** Reads a state under its lock, with the journal of an interrupted run. */
export async function openState(backend: StateBackend): Promise<LockedState> {
  const text = await backend.journal.read();
  requireNoOpenMove(text, backend.journal.description);
  const state = await backend.read();
  const journal = text === undefined ? undefined : parseJournal(text, backend.journal.description);
  // The journal has no entry, because the run was killed before it wrote one.
  if (text !== undefined && journal === undefined) await backend.journal.clear();
  return { state, journal };
}

/** The state after a recovery. The state contains all changes of the interrupted run with a known outcome. */
export interface RecoveredState {
  readonly state: State | undefined;
  readonly pendingRecovery: PendingRecovery | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Recovers an interrupted run from its journal. Steward merges committed changes, looks up the outcome of all other changes on the
 * service, and saves the state. Each recovered change emits an event. A change that can't be recovered stays in the journal, and no
 * request may be sent for its object.
 *
 * @throws DiagnosticError if nothing can be recovered, or if a recovery fails under `failFast`; the state and the journal then
 * stay unchanged
 */
export const recoverRun = (
  context: RunContext,
  backend: StateBackend,
  journal: PendingJournal,
  state: State | undefined,
): Promise<RecoveredState> => new Recovery(context, backend, journal, state).recover();

type Outcome = Extract<EngineEvent, { kind: "settled" }>["outcome"];

/** The recovery of one interrupted run. */
class Recovery {
  readonly #editor: StateEditor;
  readonly #isPresent: boolean;

  constructor(
    private readonly context: RunContext,
    private readonly backend: StateBackend,
    private readonly journal: PendingJournal,
    state: State | undefined,
  ) {
    this.#editor = new StateEditor(state ?? { ...emptyState(), lineage: journal.head.lineage });
    this.#isPresent = state !== undefined;
  }

  async recover(): Promise<RecoveredState> {
    const { context, journal } = this;
    this.#collectSensitive();
    const { merged, diagnostics } = this.#merge();
    for (const { id, ...one } of merged)
      context.onEvent?.({ kind: "settled", ...one, outcome: "done", ...(id !== undefined && { id }) });
    const { pendingRecovery, others } = await this.#resolve(pendingIntents(journal));
    if (pendingRecovery !== undefined && context.failFast)
      throw new DiagnosticError([...pendingRecovery.diagnostics]);
    await this.#save(pendingRecovery?.intents ?? []);
    return {
      state: await this.backend.read(),
      pendingRecovery,
      diagnostics: mergeDiagnostics(diagnostics, others),
    };
  }

  #collectSensitive(): void {
    for (const entry of this.journal.entries) {
      if (entry.kind !== "begun") continue;
      const { instance, prior, planned } = entry.change;
      const paths = sensitivePathsOf({ attributes: {}, ...instance }, {});
      for (const values of [prior, planned])
        collectSensitive(this.context.sensitive, values?.attributes, paths);
    }
  }

  /** Merges the committed changes. Fails if the state is missing, or if its lineage differs from the journal's lineage. */
  #merge(): { readonly merged: readonly MergedChange[]; readonly diagnostics: readonly Diagnostic[] } {
    const { backend, journal } = this;
    const { version } = backend;
    if (version !== undefined && version.lineage !== journal.head.lineage) rejectOtherLineage(backend);
    if (isKnownVersion(journal, version))
      return { merged: mergeCommits(journal, this.#editor), diagnostics: [] };
    if (version === undefined) rejectMissingState(backend);
    const { merged, conflicts } = mergeMissing(journal, this.#editor);
    return { merged, diagnostics: [stateChanged(backend), ...conflicts.map(addressOccupied)] };
  }

  /**
   * Looks up on the service the outcome of each pending change, and updates the state. If the look-up fails for some
   * objects, all other objects are still recovered.
   *
   * @throws DiagnosticError if no provider can be configured
   */
  #resolve(pending: readonly IntentEntry[]): Promise<{
    /** The changes with an unknown outcome; undefined if there are none. */
    readonly pendingRecovery?: PendingRecovery;
    readonly others: readonly Diagnostic[];
  }> {
    return withRun(this.context, async (run) => {
      const keys = pending.map(({ change }) => providerKeyOf(change.resource.provider, run));
      addProviders(run.graph, keys);
      const nodes = [...new Set(keys)].map(providerNode);
      await evaluateNodes(run, nodes, objectsOf(this.#editor.snapshot(), run).current);
      if (hasErrors(run.diagnostics)) throw new DiagnosticError(mergeDiagnostics(run.diagnostics));
      const found = await Promise.all(
        pending.map((intent, index) =>
          run.guard(intent.change.address, async () => this.#recoverChange(run, intent, keys[index]!)),
        ),
      );
      const intents = pending.filter((_, index) => found[index] === "failed");
      const others = run.diagnostics.filter(({ severity }) => severity !== "error");
      if (intents.length === 0) return { others };
      const errors = run.diagnostics.filter(({ severity }) => severity === "error");
      const problems = intents.map(({ change: { address, resource } }) =>
        recoveryPending(address, constructOf(this.context.configuration, resource)),
      );
      return { pendingRecovery: { intents, diagnostics: mergeDiagnostics(errors, problems) }, others };
    });
  }

  async #recoverChange(
    run: StackRun,
    { change, at: begun = this.journal.head.started }: IntentEntry,
    provider: string,
  ): Promise<"done" | "failed"> {
    const { address, resource, prior, planned, observed } = change;
    const { type } = resource;
    const begunAt = Date.parse(begun);
    const answer = await run
      .configured(provider)
      .recoverResource({ type, prior, planned, observed, begunAt });
    const diagnostics = at(answer.diagnostics, address, constructOf(this.context.configuration, resource));
    if (answer.outcome === undefined) return run.report(diagnostics);
    const values = answer.state && storedValues(answer.state, run.schema({ ...resource, provider }));
    const id = (answer.state ?? prior)?.attributes["id"];
    this.context.onEvent?.({
      kind: "settled",
      address,
      action: actionOf(change),
      outcome: this.#update(change, values, answer.outcome),
      ...(typeof id === "string" && { id }),
    });
    return run.report(diagnostics);
  }

  /**
   * Stores in the state the object that the provider found.
   *
   * @returns the outcome of the change
   */
  #update(change: Change, found: ReturnType<typeof storedValues> | undefined, outcome: Outcome): Outcome {
    const { address, resource } = change;
    const own = resourceAddress(resource);
    const action = actionOf(change);
    if (found === undefined) {
      if (action === "delete" && outcome === "done")
        this.#editor.remove(own, objectName(address, change.instance.deposed));
      return outcome;
    }
    const instance: InstanceState = { ...change.instance, ...found };
    // If the state holds the object at another address, the pending create did not create it.
    if (action === "create" && hasId(this.#editor, resource, instance)) return "foreign";
    const makesReplacement = action === "create" && this.#editor.find(own, address);
    if (makesReplacement) this.#editor.depose(own, address);
    this.#editor.put(resource, instance);
    return outcome;
  }

  /** Saves the recovered state. The journal keeps only the intents that are still pending. */
  async #save(kept: readonly IntentEntry[]): Promise<void> {
    const { head, entries } = this.journal;
    const { journal } = this.backend;
    // If intents are still pending, even an empty state is written, because the journal must name the version of a state.
    if (this.#isPresent || !this.#editor.isEmpty || kept.length > 0)
      await this.backend.write(this.#editor.snapshot(), (version) =>
        journal.replace(formatJournal({ ...head, states: [...head.states, version] }, entries)),
      );
    if (kept.length === 0) await journal.clear();
    else await journal.replace(formatJournal({ ...head, states: [this.backend.version ?? null] }, kept));
  }
}

function actionOf({ prior, planned }: Change): "create" | "update" | "delete" {
  if (planned === undefined) return "delete";
  return prior === undefined ? "create" : "update";
}

function rejectOtherLineage({ description, journal }: StateBackend): never {
  return fail({
    code: "journal_of_another_state",
    summary: "Journal of another state",
    detail: `The journal ${journal.description} belongs to an interrupted run on another state, not to the state ${description}. Nothing was changed. Restore the state that belongs to this journal. If that state is no longer needed, move the journal to another folder.`,
  });
}

function rejectMissingState({ description, journal }: StateBackend): never {
  return fail({
    code: "journal_without_state",
    summary: "Journal without its state",
    detail: `The journal ${journal.description} records an interrupted run on the state ${description}, which no longer exists. Nothing was changed. Restore the state, for example from the copy that ends in ".backup". To start over, move the journal to another folder.`,
  });
}

const stateChanged = ({ description, journal }: StateBackend): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "State was changed after an interrupted run",
    detail: `The state ${description} was saved after the last entry of the journal ${journal.description}, which belongs to an interrupted run. Steward added the changes that the state lacked. If the interrupted run reported that it could not write its journal, no action is needed. Otherwise, another process wrote the state without the lock. Find that process.`,
  });

const addressOccupied = ({ address, id }: MergedChange): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "Object of an interrupted run is not in the state",
    detail: `An interrupted run created the object ${JSON.stringify(id ?? "")} for ${address}, but the state now contains another object at that address. Delete the created object on the service, or declare it at a new address and import it.`,
    address,
  });
