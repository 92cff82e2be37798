import { isDeepStrictEqual } from "node:util";
import { type Diagnostic, error, warning } from "../../diagnostics";
import { instanceAddress } from "../../language";
import {
  describeHolder,
  emptyState,
  type LockInfo,
  type PendingJournal,
  pendingIntents,
  type State,
  type StateBackend,
  StateEditor,
} from "../../state";
import { isKnownVersion, journalWarning, mergeCommits, mergeMissing, readable } from "./merge-journal";
import { moveInJournal } from "./state-move";

/** A state that was read without its lock, with the committed changes from the journal of another run. */
export interface UnlockedState {
  readonly state: State | undefined;
  /** The addresses of changes with an intent, but without a commit, in the journal of the other run. */
  readonly open: ReadonlySet<string>;
  /** The warning about another run, if the journal of that run exists. */
  readonly diagnostics: readonly Diagnostic[];
  /** The run that holds the lock. Undefined if no run holds the lock; "unknown" if the storage can't report the holder. */
  readonly holder: LockInfo | "unknown" | undefined;
}

/**
 * Reads a state without its lock. The result contains the commits of the journal. The saved state can lack these commits,
 * because a run in progress saves later, and an interrupted run does not save. Recovers nothing and writes nothing.
 */
export async function readUnlocked(backend: StateBackend): Promise<UnlockedState> {
  const { journal: store } = backend;
  const text = await store.read();
  const state = await backend.read();
  const isPending = text !== undefined && text !== "" && moveInJournal(text) === undefined;
  const journal = isPending ? readable(text, store.description) : undefined;
  const open = new Set(
    journal === undefined ? [] : pendingIntents(journal).map(({ change: { address } }) => address),
  );
  const holder = await backend.holder();
  const diagnostics = isPending ? [otherRun(backend, holder)] : journalWarning(text, store);
  return { state: withCommits(state, journal, backend), open, diagnostics, holder };
}

function withCommits(
  state: State | undefined,
  journal: PendingJournal | undefined,
  { version }: StateBackend,
): State | undefined {
  if (journal === undefined) return state;
  const { lineage } = journal.head;
  if (version !== undefined && version.lineage !== lineage) return state;
  const editor = new StateEditor(state ?? { ...emptyState(), lineage });
  if (isKnownVersion(journal, version)) mergeCommits(journal, editor);
  else mergeMissing(journal, editor);
  return state === undefined && editor.isEmpty ? undefined : editor.snapshot();
}

/**
 * Returns a test for addresses. The test is true if another run has changed the address since the state was read, or may be
 * changing it now. The service may then have an object that the state lacks.
 */
export function changedMeanwhile(before: UnlockedState, now: UnlockedState): (address: string) => boolean {
  const [old, current] = [instancesOf(before.state), instancesOf(now.state)];
  return (address) =>
    before.open.has(address) ||
    now.open.has(address) ||
    !isDeepStrictEqual(old.get(address), current.get(address));
}

const instancesOf = (state: State | undefined): ReadonlyMap<string, unknown> =>
  new Map(
    (state?.resources ?? []).flatMap((resource) =>
      resource.instances
        .filter(({ deposed }) => deposed === undefined)
        .map((instance) => [instanceAddress(resource, instance), instance.attributes] as const),
    ),
  );

const heldBy = (holder: LockInfo, state: string): string =>
  `${describeHolder(holder)} holds the lock of ${state}`;

const otherRun = ({ description, journal }: StateBackend, holder: UnlockedState["holder"]): Diagnostic => {
  const pending = `The journal ${journal.description} lists changes that the state may lack`;
  const merged = "This command treats the finished changes as part of the state.";
  const [summary, detail] =
    holder === undefined
      ? [
          "A run was interrupted",
          `${pending}, because a run ended early. ${merged} The next plan or apply that takes the lock recovers the changes of that run.`,
        ]
      : holder === "unknown"
        ? [
            "A run is in progress or was interrupted",
            `${pending}. ${merged} If a run is in progress, wait until it ends. Otherwise plan with this command, which takes the lock and recovers the changes of the interrupted run.`,
          ]
        : [
            "Another run is in progress",
            `${heldBy(holder, description)}. ${pending}. ${merged} Run this command again once that run has ended.`,
          ];
  return warning({
    code: "journal_not_settled",
    summary,
    detail,
    ...((holder === undefined || holder === "unknown") && { action: { kind: "plan" } }),
  });
};

/** Returns the error for an object that another run has changed since the state was read, or may be changing now. */
export function changedByOtherRun(
  { address, construct }: Pick<Diagnostic, "address" | "construct">,
  { description, journal }: StateBackend,
  { holder, diagnostics }: UnlockedState,
): Diagnostic {
  const isPending = diagnostics.length > 0;
  const left = "Nothing is planned or reported for the object and its dependents.";
  const why =
    holder === "unknown"
      ? `The journal ${journal.description} lists a change of this object by a run that is in progress or was interrupted.`
      : holder !== undefined
        ? `${heldBy(holder, description)}. That run changes this object, or has just changed it.`
        : isPending
          ? `A run was interrupted after it began to change this object, as the journal ${journal.description} records.`
          : `Another run changed this object after this command had read ${description}.`;
  const how =
    holder === undefined && isPending
      ? "The next plan or apply that takes the lock recovers the interrupted run and checks the object."
      : `Run this command again${holder === undefined ? "" : " once that run has ended"}.`;
  return error({
    code: "object_not_settled",
    summary: "Another run changes this object",
    detail: `${why} ${left} ${how}`,
    cause: "changed by another run",
    ...(address !== undefined && { address }),
    ...(construct !== undefined && { construct }),
  });
}
