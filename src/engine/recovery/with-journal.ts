import { DiagnosticError } from "../../diagnostics";
import { resourceAddress } from "../../language";
import {
  emptyState,
  type InstanceState,
  type PendingJournal,
  parseJournal,
  pendingIntents,
  type State,
  StateEditor,
} from "../../state";
import { mergeMissing } from "./merge-journal";

/** A state with what an interrupted run may have added to it. */
export interface StateWithJournal {
  readonly state: State | undefined;
  /** The addresses of objects that the run began to create: the service may have them. */
  readonly begun: ReadonlySet<string>;
}

/**
 * A state with the objects that its journal records. Sends no request and recovers nothing: whether what was begun exists is
 * known once the state's own stack is planned.
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

/** Runs of its own stack report a damaged journal. */
function readable(text: string, location: string): PendingJournal | undefined {
  try {
    return parseJournal(text, location);
  } catch (problem) {
    if (problem instanceof DiagnosticError) return undefined;
    throw problem;
  }
}
