// Stories of faults that do not change the result of a run, because Steward has a second protection. These faults are
// visible in the plan, the requests or the state.
import { KEYS, type Kind } from "../world/objects";
import { each, forEach, type Rules, TWO } from "./rules";

const REPLACED: readonly Kind[] = [
  "environment",
  "rule",
  "invitation",
  "entry",
  "group_entry",
  "group_invitation",
];

const ENTRIES = "declare one entry; declare two entry runner; declare three entry docs; apply";

export const HIDDEN: Rules = {
  // Objects get another address. The rules check the plan and the requests.
  "a rename with a moved block shows no request": `${TWO}; apply; rename one three, by a block; plan; apply: described`,
  "a rename without a block shows no request": `${TWO}; apply; rename one three; plan; apply: described`,
  "an address that takes over another object shows only the delete of its former object": `${TWO}; apply; retarget one 1; drop two; plan; apply: described`,
  "an object that moves away from a declaration with a count of 0 is not deleted":
    "declare one environment; apply; empty one; declare two environment; plan; apply: described",
  ...each("NTH", [2, 3, 4], {
    "a run that dies after changing an object at its new address is recovered (write NTH)":
      `${TWO}; apply; rename one other, by a block; content other 2; content two 3; ` +
      "declare list list with 15; apply: dies after write NTH; plan",
  }),
  ...each("CALL", [45, 65, 85, 105, 125, 145, 165, 185, 205, 225], {
    "an apply of only the second stack knows a move between stacks that died at call CALL":
      `stacks a b; ${TWO}; declare three rule in stack b; apply; restack one b; ` +
      "move one from a to b: dies at CALL; apply: --stack b",
  }),
  // Parts of a list get another owner. The rules check the plan and the requests.
  "an entry that a whole list leaves out is removed once":
    "declare one entry; declare two group_entry; declare three entry runner; apply; drop three; whole web a; " +
    "apply: described",
  "a plan shows that a single entry stays if its former list could not be removed":
    "declare limit scope; declare all list with 3; apply; single web a; drop one_web_runner_a; " +
    "apply: DELETE 1-9: 403; plan: described; apply: described",
  "the state of a changed list is the new value of the service":
    "declare all list with 3; apply; content all 5; apply; content all 10; apply: described",
  // The replacement has the same key on the service as the old object.
  ...forEach(
    REPLACED.map((kind) => ({ KIND: kind, OTHER: KEYS[kind][1]! })),
    {
      "a replacement of KIND in its place is made once (nothing goes wrong)":
        "declare one KIND; declare two KIND OTHER; apply; apply: --replace one",
      "a replacement of KIND in its place is made once (its response is lost)":
        "declare one KIND; declare two KIND OTHER; apply; apply: POST 1: response lost, --replace one",
      "a replacement of KIND in its place is made once (it is lost)":
        "declare one KIND; declare two KIND OTHER; apply; apply: POST 1: request lost, --replace one",
    },
  ),
  // Another client creates the object first, after the nth request of the run.
  ...each(
    "KIND",
    ["environment", "rule", "invitation", "entry"],
    each("NTH", [2, 3, 4, 5], {
      "KIND that a person creates after request NTH is not taken over":
        "declare one KIND; apply: after NTH add KIND",
      "KIND that a person creates after request NTH is not taken over, although the create was lost":
        "declare one KIND; apply: POST 1: request lost, after NTH add KIND",
    }),
  ),
  // Another client creates the object. The run reads the list with this object, because it lost the response to another
  // create.
  ...each("NTH", [4, 5, 6], {
    "a manual object after request NTH, found by a read for another create, is not taken over although the create was lost":
      "declare two rule; declare one rule main; " +
      "apply: POST 1: 502 after, POST 2: request lost, after NTH add rule main, --parallelism 1",
  }),
  // The service has acknowledged a change, and the run dies before it saves the state, during a read for another
  // request.
  ...each("CALL", [155, 164, 179], {
    "an acknowledged change is in the journal during a read for another request (dies at call CALL)": `${TWO}; declare three environment in api; apply: POST 3: request lost, dies at CALL`,
  }),
  // If a journal's name is not synced, a power failure removes the whole journal with all its lines.
  ...each("SEED", [31, 1, 2], {
    "a journal's name is on the disk before anything is sent (power failure SEED)": `seed SEED; ${TWO}; apply: the power fails after write 1`,
  }),
  // A run reads lists in pages while it also writes them.
  ...each(
    "FAULT",
    ["request lost", "response lost"],
    each("NTH", [1, 2, 3, 4], {
      "a list is not read in pages while it is written, where write NTH is lost (FAULT)":
        `pages of 1; ${ENTRIES}; drop one; drop two; declare four entry api; ` +
        "apply: DELETE NTH: FAULT, POST 1: 429",
    }),
  ),
};
