import { isDeepStrictEqual } from "node:util";
import { type Diagnostic, DiagnosticError, fail, warning } from "../../diagnostics";
import { instanceAddress, objectName, resourceAddress } from "../../language";
import {
  emptyState,
  type InstanceState,
  isEnded,
  isSameVersion,
  type JournalStore,
  type PendingJournal,
  parseJournal,
  pendingIntents,
  type ResourceIdentity,
  type State,
  type StateBackend,
  type StateEdit,
  StateEditor,
  type StateMove,
  type Version,
} from "../../state";
import { moveInJournal, openMoveWarning, rejectOpenMove } from "./state-move";

/** A committed change that was in the journal, but not in the state. */
export interface MergedChange {
  readonly address: string;
  readonly action: "create" | "update" | "delete";
  readonly id: string | undefined;
}

/** Returns the last committed edit of each object, in the order of the edits. */
function lastEdits(journal: PendingJournal): StateEdit[] {
  const last = new Map<string, StateEdit>();
  for (const edit of journal.entries.filter(isEnded).flatMap(({ edits }) => edits)) {
    last.delete(objectKey(edit));
    last.set(objectKey(edit), edit);
  }
  return [...last.values()];
}

/** Applies the committed changes of a journal to a state. */
export function mergeCommits(journal: PendingJournal, editor: StateEditor): MergedChange[] {
  return lastEdits(journal).flatMap((edit): MergedChange[] => {
    const address = addressOf(edit);
    const existing = instanceAt(editor, edit);
    if ("remove" in edit) {
      if (existing === undefined) return [];
      editor.remove(resourceAddress(edit.from), objectKey(edit));
      return [{ address, action: "delete", id: idOf(existing) }];
    }
    if (existing !== undefined && isDeepStrictEqual(existing, edit.put)) return [];
    editor.put(edit.in, edit.put);
    return [{ address, action: existing === undefined ? "create" : "update", id: idOf(edit.put) }];
  });
}

/**
 * Merges a journal into a state that another process has written after the interrupted run. Adds only objects that the state
 * holds at no address. If an added object no longer exists on the service, the next refresh removes it.
 *
 * @returns the merged changes, and as `conflicts` the changes whose address in the state is occupied
 */
export function mergeMissing(journal: PendingJournal, editor: StateEditor) {
  const merged: MergedChange[] = [];
  const conflicts: MergedChange[] = [];
  for (const edit of lastEdits(journal)) {
    if ("remove" in edit || hasId(editor, edit.in, edit.put)) continue;
    const one: MergedChange = { address: addressOf(edit), action: "create", id: idOf(edit.put) };
    if (instanceAt(editor, edit) !== undefined) conflicts.push(one);
    else {
      editor.put(edit.in, edit.put);
      merged.push(one);
    }
  }
  return { merged, conflicts };
}

/** Returns whether the state has an instance with this type and id. An object must not be managed at two addresses. */
export function hasId(
  editor: StateEditor,
  { type }: ResourceIdentity,
  { attributes }: Pick<InstanceState, "attributes">,
) {
  return editor.ofType(type).some((instance) => instance.attributes["id"] === attributes["id"]);
}

const addressOf = (edit: StateEdit): string =>
  "put" in edit ? instanceAddress(edit.in, edit.put) : edit.remove;

const idOf = ({ attributes }: InstanceState): string | undefined =>
  typeof attributes["id"] === "string" ? attributes["id"] : undefined;

const objectKey = (edit: StateEdit): string =>
  objectName(addressOf(edit), "put" in edit ? edit.put.deposed : edit.deposed);

const instanceAt = (editor: StateEditor, edit: StateEdit): InstanceState | undefined =>
  editor.find(resourceAddress("put" in edit ? edit.in : edit.from), objectKey(edit));

/** Returns whether the interrupted run found or saved this version of the state. */
export const isKnownVersion = ({ head, entries }: PendingJournal, version: Version | undefined): boolean =>
  [...head.states, ...entries.flatMap((entry) => (entry.kind === "saving" ? [entry.state] : []))].some(
    (one) => isSameVersion(one ?? undefined, version),
  );

/** A state to which the objects in its journal were added. */
export interface StateWithJournal {
  readonly state: State | undefined;
  /** The addresses of objects that an interrupted run began to create. These objects can exist on the service. */
  readonly begun: ReadonlySet<string>;
}

/**
 * Returns a state with the objects in its journal. Sends no request and recovers nothing. A later plan of the state's own stack
 * finds out whether the object of a pending create exists.
 */
export function withJournal(
  state: State | undefined,
  text: string | undefined,
  location: string,
): StateWithJournal {
  const journal = text === undefined ? undefined : readable(text, location);
  if (journal === undefined) return { state, begun: new Set() };
  const editor = new StateEditor(state ?? emptyState());
  mergeMissing(journal, editor);
  const begun = new Set<string>();
  for (const { change } of pendingIntents(journal)) {
    const { address, resource, instance, prior, planned } = change;
    if (prior !== undefined || planned === undefined) continue;
    if (editor.find(resourceAddress(resource), address) !== undefined) continue;
    const { attributes, private: bytes } = planned;
    const object = { ...instance, attributes, ...(bytes !== undefined && { private: bytes }) };
    editor.put(resource, object as InstanceState);
    begun.add(address);
  }
  return { state: editor.snapshot(), begun };
}

/** Parses a journal. Returns undefined for a damaged journal, because the runs of its stack report the damage. */
export function readable(text: string, location: string): PendingJournal | undefined {
  try {
    return parseJournal(text, location);
  } catch (problem) {
    if (problem instanceof DiagnosticError) return undefined;
    throw problem;
  }
}

/**
 * Fails if an interrupted run is not recovered. A manual change of the state must wait, because the recovery from the
 * journal would undo the manual change.
 */
export async function requireRecovered(backend: StateBackend): Promise<void> {
  const move = await openMove(backend);
  if (move !== undefined) rejectOpenMove(move, backend.journal.description);
}

/**
 * Returns the unfinished move in a journal; undefined if there is none.
 *
 * @throws DiagnosticError if the journal records an interrupted run
 */
export async function openMove({ journal, description }: StateBackend): Promise<StateMove | undefined> {
  const text = await journal.read();
  if (isEmpty(text)) return undefined;
  const move = moveInJournal(text);
  if (move !== undefined) return move;
  return fail({
    code: "journal_not_settled",
    summary: "Interrupted run not recovered",
    detail: `The journal ${journal.description} records an interrupted run. The state ${description} may lack some of its changes. Nothing was changed. Run a plan to recover them, then run this command again.`,
    action: { kind: "plan" },
  });
}

/** Returns the warning for a state that is read without its lock. The state can lack changes that its journal contains. */
export async function pendingWarning({ journal }: StateBackend): Promise<readonly Diagnostic[]> {
  return journalWarning(await journal.read(), journal);
}

/** Returns the same warning as `pendingWarning`, for a journal that was already read. */
export function journalWarning(
  text: string | undefined,
  journal: Pick<JournalStore, "description">,
): readonly Diagnostic[] {
  if (isEmpty(text)) return [];
  const move = moveInJournal(text);
  if (move !== undefined) return [openMoveWarning(move, journal.description)];
  return [
    warning({
      code: "journal_not_settled",
      summary: "A run is in progress or was interrupted",
      detail: `The journal ${journal.description} lists changes that the state may lack. This command ignores these changes. If another run is in progress, wait until it ends. Otherwise run a plan, which recovers the changes.`,
      action: { kind: "plan" },
    }),
  ];
}

/** Fails if the journal contains an unfinished move, because only `steward state mv` can complete it. */
export function requireNoOpenMove(text: string | undefined, journal: string): void {
  const move = moveInJournal(text);
  if (move !== undefined) rejectOpenMove(move, journal);
}

const isEmpty = (text: string | undefined): boolean => text === undefined || text === "";
