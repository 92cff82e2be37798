import type { DiagnosticAction } from "./action";
import { nearest } from "./did-you-mean";

/** A sentence that helps after a wrong name, with the command or block that the sentence mentions. */
export interface Hint {
  readonly hint: string;
  readonly action?: DiagnosticAction;
}

/**
 * Returns "Did you mean …?" if one of the names is similar to `input`. Otherwise, returns the hint `otherwise`, such as a
 * command that lists all names.
 */
export function hintFor(input: string, names: Iterable<string>, otherwise: Hint): Hint {
  const close = nearest(input, names);
  return close === undefined ? otherwise : { hint: `Did you mean "${close}"?` };
}

/** The hint for an unknown address, if no address in the state is similar to the unknown address. */
export const LIST_OBJECTS: Hint = {
  hint: "List the objects in the state with this command.",
  action: { kind: "list" },
};
