// Stories about ownership: of sets that move to another declaration, and of objects with several declarations.
import { each, forEach, type Rules } from "./rules";

/** The faults of the apply that moves a set to another declaration. The first apply has no faults. */
const DISTURBED = [
  { WHAT: "nothing goes wrong", RUN: "apply" },
  ...[1, 2, 3, 4].map((nth) => ({ WHAT: `GET ${nth} is refused`, RUN: `apply: GET ${nth}: 403` })),
  { WHAT: "a write is refused", RUN: "apply: write 1: 403" },
  { WHAT: "the answer of a write is lost", RUN: "apply: write 1: response lost" },
  { WHAT: "it dies after a write", RUN: "apply: dies after write 1" },
  { WHAT: "it dies on the way", RUN: "apply: dies at 60" },
];

/** The stacks that own the set before (`FROM`) and after (`TO`) the apply. */
const HANDS = [
  { FROM: "a", TAKER: "a", STACKS: "a", TO: "a" },
  {
    FROM: "a",
    TAKER: "a through another configuration",
    STACKS: "a",
    TO: "a, through another configuration",
  },
  { FROM: "a", TAKER: "b", STACKS: "a b", TO: "b" },
  { FROM: "b", TAKER: "a", STACKS: "a b", TO: "a" },
];

/** The stacks that own the set before and after it moves, and the order in which two commands apply them. */
const COMMANDS = [
  { FROM: "a", TO: "b", FIRST: "a", LAST: "b" },
  { FROM: "a", TO: "b", FIRST: "b", LAST: "a" },
  { FROM: "b", TO: "a", FIRST: "b", LAST: "a" },
  { FROM: "b", TO: "a", FIRST: "a", LAST: "b" },
].map((words) => ({ ...words, ENTRY: `one_web_runner_${words.TO}` }));

/**
 * The start of a story: one stack declares a whole list by number. Then another stack declares some of its entries, by
 * path.
 */
const RELEASED = "stacks a b; declare all list with 7, by number; apply; single web b; drop one_web_runner_b";

export const OWNERSHIP: Rules = {
  ...forEach(
    DISTURBED,
    forEach(HANDS, {
      "single entries of FROM become a whole list of TAKER: WHAT":
        "stacks STACKS; declare one entry with 0 in stack FROM; declare two group_entry with 0 in stack FROM; " +
        "apply; whole web TO; RUN",
      "a whole list of FROM becomes single entries of TAKER: WHAT":
        "stacks STACKS; declare all list with 5 in stack FROM; apply; single web TO; RUN",
    }),
  ),
  // The new declarations do not contain one of the old entries.
  ...forEach(COMMANDS, {
    "single entries of FROM become a whole list of TO, applied FIRST before LAST":
      "stacks a b; declare one entry with 0 in stack FROM; declare two group_entry with 0 in stack FROM; " +
      "declare three entry runner with 0 in stack FROM; apply; drop three; whole web TO; " +
      "apply: --stack FIRST; apply: --stack LAST",
    "a whole list of FROM becomes some single entries of TO, applied FIRST before LAST":
      "stacks a b; declare all list with 7 in stack FROM; apply; single web TO; drop ENTRY; " +
      "apply: --stack FIRST; apply: --stack LAST",
  }),
  // The old stack keeps the list in its state until the other state has the declared entries.
  ...each("CALL", [175, 190, 205, 220], {
    "a list stays in its state while a run that began to take its entries over died at call CALL": `${RELEASED}; apply: --stack a; apply: --stack b, dies at CALL`,
  }),
  ...each("STATUS", [403, 404], {
    "a list stays in its state while the project of another stack's entries cannot be looked up (STATUS)": `${RELEASED}; apply: GET 4: STATUS`,
  }),
  "an entry stays in its state if only the apply finds that another stack declares it":
    "stacks a b; declare main entry runner with 0, by number; apply; respell main path; restack main b; " +
    "apply: GET 3: 404",
  "a declaration that could not be planned still owns its objects":
    "declare one list with 0; apply; declare two list with 12; apply: GET 1-8: 403; apply: GET 3-7: request lost",
  "a declaration with an unknown target still owns its part of a set":
    "declare one entry runner with 0; declare all list with 9; apply: GET after write 1: 403; apply: GET 3: 403",
  "two configurations of one service never own the same object":
    "declare all list; declare one entry runner with 0, through another configuration; apply",
  "a new object of two stacks, by number and by path, is not written by either":
    "stacks a b; declare one environment with 0, by number; declare two environment with 0 in stack b; apply",
  "a new list of one stack and a new entry of another stack are both not written":
    "stacks a b; declare all list in api with 8 in stack b; declare one entry in api with 0; apply",
  "an object that one stack declared by number is not destroyed if another stack declares it by path":
    "stacks a b; declare main environment with 0, by number; apply; respell main path; restack main b; apply",
  "an object of an interrupted run of one stack is known to its new stack":
    "stacks a b; declare main environment with 0 in stack b; apply: dies after write 1; restack main a; apply",
  "an apply of one stack does not write objects that another stack declares by path":
    "stacks a b; declare one environment staging in api with 0; " +
    "declare two environment staging in api with 0 in stack b, by number; apply: --stack b",
  "the object of an address with prevent_destroy is not destroyed by a takeover of another object":
    "declare main environment with 0, with prevent_destroy; declare second environment staging with 0; apply; " +
    "retarget main 1; drop second; apply",
};
