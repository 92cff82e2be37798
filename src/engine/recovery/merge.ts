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

/** An answered change that the state lacks. */
export interface Merged {
  readonly address: string;
  readonly action: "create" | "update" | "delete";
  readonly id: string | undefined;
}

/** What happened last to each instance, by its address and what deposed it. */
function lastEdits(journal: PendingJournal): StateEdit[] {
  const last = new Map<string, StateEdit>();
  for (const edit of journal.entries.filter(isEnded).flatMap(({ edits }) => edits)) {
    last.delete(nameOf(edit));
    last.set(nameOf(edit), edit);
  }
  return [...last.values()];
}

/** Brings a state up to what a journal says was answered. */
export function mergeEnded(journal: PendingJournal, editor: StateEditor): Merged[] {
  return lastEdits(journal).flatMap((edit): Merged[] => {
    const address = addressOf(edit);
    const held = heldAt(editor, edit);
    if ("remove" in edit) {
      if (held === undefined) return [];
      editor.remove(resourceAddress(edit.from), nameOf(edit));
      return [{ address, action: "delete", id: idOf(held) }];
    }
    if (held !== undefined && isSame(held, edit.put)) return [];
    editor.put(edit.in, edit.put);
    return [{ address, action: held === undefined ? "create" : "update", id: idOf(edit.put) }];
  });
}

/**
 * The same where somebody else wrote the state since: what is nowhere in it is added, and all else stays as it is. The
 * refresh that follows tells what is gone. Answers also with what could not be added, because its address is taken.
 */
export function mergeMissing(
  journal: PendingJournal,
  editor: StateEditor,
): { readonly merged: Merged[]; readonly left: Merged[] } {
  const merged: Merged[] = [];
  const left: Merged[] = [];
  for (const edit of lastEdits(journal)) {
    if ("remove" in edit || holdsId(editor, edit.in, edit.put)) continue;
    const one: Merged = { address: addressOf(edit), action: "create", id: idOf(edit.put) };
    if (heldAt(editor, edit) !== undefined) left.push(one);
    else {
      editor.put(edit.in, edit.put);
      merged.push(one);
    }
  }
  return { merged, left };
}

/** Whether any instance of the type has this one's id: an object is managed at one address alone. */
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

const nameOf = (edit: StateEdit): string =>
  objectName(addressOf(edit), "put" in edit ? edit.put.deposed : edit.deposed);

const heldAt = (editor: StateEditor, edit: StateEdit): InstanceState | undefined =>
  editor.find(resourceAddress("put" in edit ? edit.in : edit.from), nameOf(edit));

const isSame = (one: InstanceState, other: InstanceState): boolean => textOf(one) === textOf(other);
const textOf = (instance: InstanceState): string => formatJson(parseJson(stringifyJson(instance)) as Json);
