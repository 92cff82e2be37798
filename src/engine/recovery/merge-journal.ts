import { parseJson, stringifyJson } from "../../json";
import { instanceAddress, objectName, resourceAddress } from "../../language";
import {
  formatJson,
  type InstanceState,
  isEnded,
  type Json,
  type PendingJournal,
  type ResourceIdentity,
  type StateEdit,
  type StateEditor,
} from "../../state";

/** A committed change of the journal that the state lacks. */
export interface MergedChange {
  readonly address: string;
  readonly action: "create" | "update" | "delete";
  readonly id: string | undefined;
}

/** The last edit of each object, by its address and deposed key. */
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
    if (existing !== undefined && isSame(existing, edit.put)) return [];
    editor.put(edit.in, edit.put);
    return [{ address, action: existing === undefined ? "create" : "update", id: idOf(edit.put) }];
  });
}

/**
 * Merges a journal into a state that another process has written since: adds objects that the state holds
 * nowhere and changes nothing else. The next refresh finds those that no longer exist.
 *
 * @returns also the changes that were not merged, since their address is occupied
 */
export function mergeMissing(
  journal: PendingJournal,
  editor: StateEditor,
): { readonly merged: MergedChange[]; readonly conflicts: MergedChange[] } {
  const merged: MergedChange[] = [];
  const conflicts: MergedChange[] = [];
  for (const edit of lastEdits(journal)) {
    if ("remove" in edit || holdsId(editor, edit.in, edit.put)) continue;
    const one: MergedChange = { address: addressOf(edit), action: "create", id: idOf(edit.put) };
    if (instanceAt(editor, edit) !== undefined) conflicts.push(one);
    else {
      editor.put(edit.in, edit.put);
      merged.push(one);
    }
  }
  return { merged, conflicts };
}

/** Whether any instance of the type has the same id: an object may be managed at one address only. */
export function holdsId(
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

const isSame = (one: InstanceState, other: InstanceState): boolean => textOf(one) === textOf(other);
const textOf = (instance: InstanceState): string => formatJson(parseJson(stringifyJson(instance)) as Json);
