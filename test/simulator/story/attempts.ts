// Stories about requests that a client repeats.
import { KEYS, type Kind } from "../world/objects";
import { each, forEach, KINDS, type Rules } from "./rules";

const MADE: readonly Kind[] = ["environment", "rule", "invitation", "entry"];

export const ATTEMPTS: Rules = {
  ...each("FAULT", ["429", "503", "unreachable", "response lost", "cut"], {
    "a read that fails twice (FAULT) is not an error":
      "declare one environment; declare two entry; apply; content one 2; apply: GET 1-2: FAULT",
  }),
  "a read that always fails is tried a few times, and ends the run":
    "declare one environment; apply; apply: GET 1-10000: 503",
  ...each("KIND", KINDS, {
    "a create of KIND that never arrives is an error": "declare one KIND; apply: write 1-20: request lost",
  }),
  ...each("KIND", ["environment", "rule", "invitation", "scope", "list"], {
    "a change of KIND that never arrives is an error":
      "declare one KIND; apply; content one 2; apply: write 1-20: request lost",
    "a delete of KIND that never arrives keeps it in the state":
      "declare one KIND; apply; drop one; apply: write 1-20: request lost",
  }),
  ...forEach(
    MADE.map((kind) => ({ KIND: kind, OTHER: KEYS[kind][1]! })),
    each("NTH", [2, 3, 4, 5], {
      "deleting a missing object is not an error: a person deletes KIND after request NTH":
        "declare one KIND; declare two KIND OTHER; apply; drop one; apply: after NTH delete KIND",
    }),
  ),
  ...each(
    "KIND",
    MADE,
    each("FAULT", ["request lost", "503"], {
      "KIND that a person creates while a create is lost 1 times (FAULT) is not taken over":
        "declare one KIND; apply: POST 1: FAULT, after 4 add KIND with 2",
      "KIND that a person creates while a create is lost 2 times (FAULT) is not taken over":
        "declare one KIND; apply: POST 1-2: FAULT, after 4 add KIND with 2",
    }),
  ),
  ...each(
    "NTH",
    [1, 2, 3],
    each("FAULT", ["response lost", "502 after", "request lost"], {
      "the outcome of write NTH (FAULT) of several entries is read from a list after the write":
        "pages of 1; declare one entry; declare two entry runner with 0; declare three group_entry; " +
        "declare four group_entry approvers with 0; apply; drop one; drop three; retarget two 0; " +
        "apply: write NTH: FAULT",
    }),
  ),
  ...each("NTH", [1, 2, 3, 4, 5, 6], {
    "a list that a person changes after request NTH, during a read in pages, is read again":
      "pages of 1; declare all list with 15; declare one entry in api; declare two entry runner in api with 0; " +
      "apply; content all 9; apply: after NTH delete entry, after NTH delete entry in api",
  }),
  ...each("KIND", ["environment", "rule"], {
    "a replacement of KIND and a change of another object in the list are each done once if their responses are lost":
      "declare one KIND; declare two KIND in api; apply; retarget one 1; content two 2; " +
      "apply: write 1-3: response lost",
  }),
};
