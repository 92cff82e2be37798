import {
  type Diagnostic,
  DiagnosticError,
  fail,
  hasErrors,
  mergeDiagnostics,
  warning,
} from "../../diagnostics";
import type { RecoverResponse } from "../../framework";
import { objectName, resourceAddress } from "../../language";
import type { ResourceSchema } from "../../schema";
import {
  type Change,
  emptyState,
  formatJournal,
  type InstanceState,
  type IntentEntry,
  isSameVersion,
  type PendingJournal,
  parseJournal,
  pendingIntents,
  type State,
  type StateBackend,
  StateEditor,
  type Version,
} from "../../state";
import { evaluateNodes } from "../data/data-sources";
import type { PendingRecovery, RunContext } from "../run/context";
import { addProviders, providerNode } from "../run/declarations";
import { at, constructOf, objectsOf, providerKeyOf } from "../run/objects";
import { recoveryPending } from "../run/pending-recovery";
import { collectSensitive, sensitivePathsOf } from "../run/redaction";
import { type StackRun, withRun } from "../run/stack-run";
import { storedValues } from "../steps/state-instance";
import { hasId, type MergedChange, mergeCommits, mergeMissing, requireNoOpenMove } from "./merge-journal";

interface Resolution {
  /** Undefined if everything is resolved. */
  readonly pendingRecovery?: PendingRecovery;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Looks up on the service the outcome of each change that was started and not confirmed, and updates the
 * state. A failure for one object does not affect the others.
 *
 * @throws DiagnosticError if the service can't be reached at all
 */
function resolveIntents(
  context: RunContext,
  editor: StateEditor,
  pending: readonly IntentEntry[],
): Promise<Resolution> {
  return withRun(context, async (run) => {
    const keys = new Map(pending.map(({ change }) => [change, providerKeyOf(change.resource.provider, run)]));
    await configureProviders(run, [...new Set(keys.values())], editor);
    if (hasErrors(run.diagnostics)) throw new DiagnosticError(mergeDiagnostics(run.diagnostics));
    const found = await Promise.all(
      pending.map(({ change }) =>
        run.guard(change.address, async () => recoverChange(run, change, keys.get(change)!, editor)),
      ),
    );
    const intents = pending.filter((_, at) => found[at] === "failed");
    const errors = run.diagnostics.filter(isError);
    const others = run.diagnostics.filter((one) => !isError(one));
    if (intents.length === 0) return { diagnostics: others };
    const problems = intents.map(({ change: { address, resource } }) =>
      recoveryPending(address, constructOf(context.configuration, resource)),
    );
    return {
      pendingRecovery: { intents, diagnostics: mergeDiagnostics(errors, problems) },
      diagnostics: others,
    };
  });
}

async function configureProviders(
  run: StackRun,
  providers: readonly string[],
  editor: StateEditor,
): Promise<void> {
  addProviders(run.graph, providers);
  await evaluateNodes(run, providers.map(providerNode), objectsOf(editor.snapshot(), run).current);
}

async function recoverChange(
  run: StackRun,
  change: Change,
  provider: string,
  editor: StateEditor,
): Promise<"done" | "failed"> {
  const { address, resource, prior, planned, observed } = change;
  const answer = await run
    .configured(provider)
    .recoverResource({ type: resource.type, prior, planned, observed });
  const construct = constructOf(run.context.configuration, resource);
  const diagnostics = at(answer.diagnostics, address, construct);
  if (answer.outcome === undefined) return run.report(diagnostics);
  const outcome = applyRecovery(
    editor,
    change,
    answer,
    answer.outcome,
    run.schema({ ...resource, provider }),
  );
  const id = (answer.state ?? prior)?.attributes["id"];
  run.context.onEvent?.({
    kind: "settled",
    address,
    action: actionOf(change),
    outcome,
    ...(typeof id === "string" && { id }),
  });
  return run.report(diagnostics);
}

/**
 * Updates the state to what the provider found.
 *
 * @returns the outcome of the change
 */
function applyRecovery(
  editor: StateEditor,
  change: Change,
  { state }: RecoverResponse,
  outcome: NonNullable<RecoverResponse["outcome"]>,
  schema: ResourceSchema,
): typeof outcome {
  const { address, resource } = change;
  if (state === undefined) {
    if (actionOf(change) === "delete" && outcome === "done") {
      editor.remove(resourceAddress(resource), objectName(address, change.instance.deposed));
    }
    return outcome;
  }
  const instance: InstanceState = { ...change.instance, ...storedValues(state, schema) };
  // An object that another address holds was not created for this one.
  if (actionOf(change) === "create" && hasId(editor, resource, instance)) return "foreign";
  const makesReplacement = actionOf(change) === "create" && editor.find(resourceAddress(resource), address);
  if (makesReplacement) editor.depose(resourceAddress(resource), address);
  editor.put(resource, instance);
  return outcome;
}

const actionOf = ({ prior, planned }: Change): "create" | "update" | "delete" =>
  planned === undefined ? "delete" : prior === undefined ? "create" : "update";

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/** A state that includes everything an interrupted run did, as far as that is known. */
export interface OpenedState {
  readonly state: State | undefined;
  /** The context to continue with; it has the recoveries that are still pending. */
  readonly context: RunContext;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a state under its lock and recovers an interrupted run from its journal: committed changes are
 * merged, the outcome of all others is looked up on the service, and the state is saved. Each recovered
 * change emits an event. A change that can't be recovered stays in the journal, and nothing may be sent for
 * its object.
 *
 * @throws DiagnosticError if nothing can be recovered, or a recovery fails under `failFast`; then nothing is
 * changed and the journal stays
 */
export async function openState(context: RunContext, backend: StateBackend): Promise<OpenedState> {
  const text = await backend.journal.read();
  requireNoOpenMove(text, backend.journal.description);
  const state = await backend.read();
  const journal = text === undefined ? undefined : parseJournal(text, backend.journal.description);
  if (journal === undefined) {
    // The run was killed before its first entry.
    if (text !== undefined) await backend.journal.clear();
    return { state, context, diagnostics: [] };
  }
  for (const entry of journal.entries) {
    if (entry.kind !== "begun") continue;
    const { instance, prior, planned } = entry.change;
    for (const values of [prior, planned])
      collectSensitive(
        context.sensitive,
        values?.attributes,
        sensitivePathsOf({ attributes: {}, ...instance }, {}),
      );
  }
  const editor = new StateEditor(state ?? { ...emptyState(), lineage: journal.head.lineage });
  const { merged, diagnostics } = merge(journal, editor, backend);
  for (const { id, ...one } of merged)
    context.onEvent?.({ kind: "settled", ...one, outcome: "done", ...(id !== undefined && { id }) });
  const { pendingRecovery, diagnostics: resolveDiagnostics } = await resolveIntents(
    context,
    editor,
    pendingIntents(journal),
  );
  if (pendingRecovery !== undefined && context.failFast)
    throw new DiagnosticError([...pendingRecovery.diagnostics]);
  await save(journal, editor, backend, pendingRecovery?.intents ?? [], state !== undefined);
  return {
    state: await backend.read(),
    context: pendingRecovery === undefined ? context : { ...context, pendingRecovery },
    diagnostics: mergeDiagnostics(diagnostics, resolveDiagnostics),
  };
}

/** Saves the recovered state; the journal keeps the pending entries. */
async function save(
  { head, entries }: PendingJournal,
  editor: StateEditor,
  backend: StateBackend,
  kept: readonly IntentEntry[],
  isPresent: boolean,
): Promise<void> {
  // Pending entries refer to a state, even if it is still empty.
  if (isPresent || !editor.isEmpty || kept.length > 0)
    await backend.write(editor.snapshot(), (version) =>
      backend.journal.replace(formatJournal({ ...head, states: [...head.states, version] }, entries)),
    );
  if (kept.length === 0) await backend.journal.clear();
  else await backend.journal.replace(formatJournal({ ...head, states: [backend.version ?? null] }, kept));
}

function merge(
  journal: PendingJournal,
  editor: StateEditor,
  backend: StateBackend,
): { readonly merged: readonly MergedChange[]; readonly diagnostics: Diagnostic[] } {
  const { version } = backend;
  if (version !== undefined && version.lineage !== journal.head.lineage) rejectOtherLineage(backend);
  if (isKnownVersion(journal, version)) return { merged: mergeCommits(journal, editor), diagnostics: [] };
  if (version === undefined) rejectMissingState(backend);
  const { merged, conflicts } = mergeMissing(journal, editor);
  return { merged, diagnostics: [stateChanged(backend), ...conflicts.map(addressOccupied)] };
}

/** Whether the state is the one that the run found, or one that it saved. */
const isKnownVersion = ({ head, entries }: PendingJournal, version: Version | undefined): boolean =>
  [...head.states, ...entries.flatMap((entry) => (entry.kind === "saving" ? [entry.state] : []))].some(
    (one) => isSameVersion(one ?? undefined, version),
  );

function rejectOtherLineage({ description, journal }: StateBackend): never {
  return fail({
    code: "journal_of_another_state",
    summary: "Journal of another state",
    detail:
      `${journal.description} records an interrupted run on a state other than the one in ${description}. ` +
      "Nothing was changed. Restore the state it belongs to; if that state is obsolete, move the journal away.",
  });
}

function rejectMissingState({ description, journal }: StateBackend): never {
  return fail({
    code: "journal_without_state",
    summary: "Journal without its state",
    detail:
      `${journal.description} records an interrupted run on the state ${description}, which no longer exists. ` +
      'Nothing was changed. Restore the state, for example from the copy that ends in ".backup"; to start over, move the ' +
      "journal away as well.",
  });
}

const stateChanged = ({ description, journal }: StateBackend): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "State was changed after an interrupted run",
    detail:
      `${description} was saved again after the last entry of ${journal.description}, the journal of an interrupted run. Either that ` +
      "run could no longer write its journal, and said so, or another process wrote the state without taking its lock. The changes " +
      "that the state lacked were added; nothing else was changed. If the run reported no failure of its journal, find that process.",
  });

const addressOccupied = ({ address, id }: MergedChange): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "Object of an interrupted run is not in the state",
    detail:
      `An interrupted run created the object ${JSON.stringify(id ?? "")} for ${address}, but the state now holds another ` +
      "one at that address. Delete the object on the service, or declare it at a new address and import it.",
    address,
  });
