// All stories that explain a rule. Without a planted fault, no story breaks a rule.
import { ATTEMPTS } from "./attempts";
import { DEATHS } from "./deaths";
import { FLEETS } from "./fleet-rules";
import { FOUND } from "./found";
import { HIDDEN } from "./hidden";
import { LISTS } from "./lists";
import { readStory } from "./notation";
import { OWNERSHIP } from "./ownership";
import { REPORTS } from "./reports";
import { each, forEach, KINDS, type Rules, TWO } from "./rules";
import type { HoldingStory } from "./story";

/** An apply that loses the response to a create, and then cannot read the outcome. */
const BLIND = "apply: write 1: response lost, GET after write 1-40: 500";

/** Rules for every kind of object. */
const OF_KINDS: Rules = {
  ...each("LOSS", ["response lost", "502 after", "silence", "late"], {
    "a create of KIND may have been executed (LOSS): a read finds the outcome, and KIND exists once":
      "declare one KIND; apply: write 1: LOSS",
  }),
  ...each("LOSS", ["response lost", "502 after"], {
    "a change of KIND may have been executed (LOSS): a read finds the outcome":
      "declare one KIND; apply; content one 2; apply: write 1: LOSS",
    "a delete of KIND may have been executed (LOSS): a read finds the outcome":
      "declare one KIND; apply; drop one; apply: write 1: LOSS",
  }),
  "a run that dies after creating KIND is recovered": "declare one KIND; apply: dies after write 1",
  "an apply takes over KIND that a person created, and changes it as declared":
    "hand add KIND with 2; declare one KIND; apply: --import-existing",
  "a run that dies while it changes KIND that it took over is recovered":
    "hand add KIND with 2; declare one KIND; apply: --import-existing, dies after write 1",
  "a run that dies after changing KIND is recovered":
    "declare one KIND; apply; content one 2; apply: dies after write 1",
  "a run that dies after deleting KIND is recovered":
    "declare one KIND; apply; drop one; apply: dies after write 1",
  "a refused delete of KIND keeps it in the state":
    "declare one KIND; apply; drop one; apply: DELETE 1-9: 403",
  "a refused change of KIND is an error": "declare one KIND; apply; content one 2; apply: write 1-9: 403",
};

/** Rules for runs that die, disks that fail, and writes whose outcome a run cannot read. */
const INTERRUPTED: Rules = {
  ...each("KIND", ["environment", "rule", "invitation"], {
    "a create of KIND stays open until a read finds its outcome": `declare one KIND; ${BLIND}; apply`,
  }),
  "an open create stays open while another run cannot read its outcome, and changes other objects":
    `declare one environment; ${BLIND}; declare two rule; declare three environment staging in api; ` +
    "apply: GET 1-2: 500, dies after write 1; apply",
  "two open creates are both recovered": `${TWO}; apply: dies after write 2; apply`,
  "the journal keeps the changes of a state that cannot be written":
    "declare one environment; apply; declare two environment staging; apply: disk 14-1013: full",
  ...forEach(
    [8, 10, 12, 16, 18, 20, 22, 24].map((nth) => ({ NTH: nth, LAST: nth + 999 })),
    { "a disk that is full from write NTH on loses nothing": `${TWO}; apply: disk NTH-LAST: full` },
  ),
  // Calls 112 to 124 clear the journal at the end of the run.
  ...each("CALL", [20, 32, 44, 56, 112, 114, 116, 118, 120, 122, 124], {
    "a recovery that dies at call CALL is done again":
      "declare one environment; apply: dies after write 1; apply: dies at CALL",
  }),
  ...each("CALL", [40, 50, 60, 65, 70, 75, 80, 90], {
    "a delete that dies at call CALL is done, or the object stays in the state":
      "declare one environment; apply; drop one; apply: dies at CALL",
  }),
  // If the states are on the service, locks, journals and states are also written there. So the numbers of writes are
  // higher in these stories.
  ...forEach(
    [
      ...[1, 2, 3].map((nth) => ({ KEEPING: "file", NTH: nth })),
      ...[3, 4, 5, 6, 7].map((nth) => ({ KEEPING: "service", NTH: nth })),
    ],
    {
      "a run that dies after moves, forgets, imports and creates is recovered (write NTH, states in KEEPING)":
        "states in KEEPING; declare one environment; declare gone scope; apply; rename one other, by a block; " +
        "release gone; hand add environment in api; declare taken environment in api with 2, by an import block; " +
        "declare two environment staging; declare three rule; apply: dies after write NTH",
    },
  ),
  ...each(
    "KIND",
    ["invitation", "group_invitation", "entry", "group_entry", "list", "scope"],
    forEach(
      [1, 2].map((nth) => ({ NTH: nth, LAST: nth + 8 })),
      {
        "a created KIND stays in the state, although reads fail afterwards (from read NTH on)":
          "declare one KIND; apply: GET after write NTH-LAST: 500",
      },
    ),
  ),
  ...each("NTH", [6, 9, 12, 15, 18], {
    "no request is sent whose intent a power failure could remove, if the disk fails at write NTH":
      "seed 2; declare one environment staging; apply: disk NTH: io, the power fails after write 1",
  }),
};

/** Rules for objects that people created or changed, and for the reports of a run about them. */
const BY_HAND: Rules = {
  "a manual object is refused, and not taken over": "hand add environment; declare one environment; apply",
  "a manual object during a lost request is not taken over":
    "declare one rule; hand add rule; apply: POST 1: request lost",
  "a create that died before its request does not claim a later manual object":
    "declare one environment; apply: POST 1-9: request lost, dies at 95; hand add environment; apply",
  "a manual object is imported": "declare one environment; hand add environment; import one; apply",
  ...each("OPERATION", ["repair", "drift", "plan"], {
    "OPERATION finds manual changes and deletions": `${TWO}; apply; hand delete environment; hand change environment staging; OPERATION`,
  }),
  "a repair leaves out later changes of the code": `${TWO}; apply; content one 3; hand change environment; repair`,
  ...each(
    "STATUS",
    [403, 500],
    each("OPERATION", ["plan", "apply", "drift", "repair"], {
      "a OPERATION names the objects that it could not read (STATUS)": `${TWO}; apply; OPERATION: GET 1-9: STATUS`,
    }),
  ),
  "a list whose pages shift while it is read is read again":
    "pages of 1; declare one list with 15; apply; apply: after 2 delete entry",
};

/** Rules for objects that get another address or another stack. */
const MOVED: Rules = {
  "a rename with a moved block sends nothing": `${TWO}; apply; rename one three, by a block; apply`,
  "a rename without a block sends nothing": `${TWO}; apply; rename one three; apply`,
  ...each("CALL", [30, 60, 90, 120, 150], {
    "a rename that dies at call CALL is completed": `${TWO}; apply; rename one three; apply: dies at CALL`,
  }),
  ...each("CALL", [15, 25, 35, 45, 55, 65, 75, 85, 95, 105], {
    "a move between stacks that dies at call CALL is completed":
      `stacks a b; ${TWO}; declare three rule in stack b; apply; restack one b; ` +
      "move one from a to b: dies at CALL; move one from a to b",
  }),
  ...each(
    "KEEPING",
    ["file", "service"],
    each("CALL", [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120], {
      "a move of all declarations of another stack that dies at call CALL is completed (states in KEEPING)":
        `states in KEEPING; stacks a b; ${TWO}; declare three rule in stack b; apply; ` +
        "rename two second, by a block; restack one b; restack second b; move declared from a to b: dies at CALL",
    }),
  ),
  "an object with a new address by a moved block moves to another stack by the command in the error":
    "stacks a b; declare one environment; apply; rename one other, by a block; restack other b",
  ...each("KIND", ["environment", "rule", "entry"], {
    "KIND that another stack declares is not deleted":
      "stacks a b; declare one KIND; apply; restack one b; apply",
    "KIND that an earlier stack declares is not deleted":
      "stacks a b; declare one KIND in stack b; apply; restack one a; apply",
  }),
  "an invitation that moves to another stack is refused with the move, and not as existing":
    "stacks a b; declare ada group_invitation in stack b; apply; restack ada a",
  "an object of another stack is not taken over":
    "stacks a b; declare one environment in stack b; apply; declare two environment; apply: --import-existing; " +
    "drop two",
  "single entries become a whole list, and no entry is gone for a moment":
    "declare one entry; declare two group_entry; apply; whole web a; apply",
  "a whole list becomes single entries, and no entry is gone for a moment":
    "declare one list with 15; apply; single web a; apply",
  "a list of another content is changed entry by entry":
    "declare one list with 13; apply; content one 6; apply",
};

/** Rules for refused changes, locks, messages and saved states. */
const KEPT: Rules = {
  "an object with prevent_destroy is neither deleted nor replaced":
    "declare one environment, with prevent_destroy; apply; retarget one 1; apply; destroy",
  "two declarations of one object are refused":
    "declare one environment staging; declare two environment staging; apply",
  ...each(
    "KEEPING",
    ["file", "service"],
    each("LATER", [0, 20, 60], {
      "two runners at once, LATER ms apart, exclude each other (states in KEEPING)": `states in KEEPING; ${TWO}; both apply and LATER ms later apply`,
    }),
  ),
  "the lock of a dead runner is taken over": `${TWO}; apply: dies after write 1; both apply and 0 ms later apply: --lock-timeout 60000ms`,
  "a plan shows who gains and who loses access":
    `${TWO}; plan: described; apply; content one 2; plan: described; apply; drop one; ` + "plan: described",
  "the changes of two configurations of one service in a project are described together":
    "declare limit scope; declare one entry, through another configuration; declare two group_entry; " +
    "plan: described; apply; drop one; content limit 0; plan: described",
  "a saved plan is refused without a write after its object changed on the service":
    "declare one environment; apply; content one 2; save; hand change environment with 3; apply saved",
  "a saved plan is applied as shown, and refused after the state changed": `${TWO}; save; apply saved; drop one; save; apply; apply saved`,
};

const RULES: Rules = {
  ...LISTS,
  ...OWNERSHIP,
  ...FOUND,
  ...HIDDEN,
  ...REPORTS,
  ...ATTEMPTS,
  ...DEATHS,
  ...each("KIND", KINDS, OF_KINDS),
  ...INTERRUPTED,
  ...BY_HAND,
  ...MOVED,
  ...KEPT,
  ...FLEETS,
};

export const HOLDING_STORIES: readonly HoldingStory[] = Object.entries(RULES).map(([rule, text]) => ({
  rule,
  story: readStory(text),
}));
