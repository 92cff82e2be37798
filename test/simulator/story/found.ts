// Stories of faults that random seeds found and that are fixed now. These stories are the smallest stories that showed
// the fault.
import { each, forEach, type Rules } from "./rules";

/** Rules for responses with the status 404 although the object exists. */
const DENIED: Rules = {
  ...each("KIND", ["environment", "rule", "entry", "group_entry", "invitation", "group_invitation"], {
    "a 404 does not prove that an interrupted create of KIND failed (2 times)":
      "seed 102; declare one KIND; apply: dies after write 1; apply: GET 1-2: 404",
    "a 404 does not prove that an interrupted create of KIND failed (3 times)":
      "seed 103; declare one KIND; apply: dies after write 1; apply: GET 1-3: 404",
  }),
  ...each("KIND", ["environment", "rule", "entry", "invitation", "group_invitation"], {
    "KIND stays in the state if its delete has status 404 and the object exists":
      "declare one KIND; apply; drop one; apply: DELETE 1-6: 404",
  }),
  "one 404 of the container does not prove that an interrupted create failed":
    "seed 103429; declare one group_entry; apply: dies after write 1; apply: GET 1: 404",
  "one read with status 404 does not mean that a project is gone, also for an administrator":
    "seed 104053; declare o1 environment staging with 0; " +
    "declare o2 environment with 0, through another configuration; apply: dies after write 1; apply: GET 3-7: 404",
  "one 404 is not believed if the next read of the list shows the object":
    "seed 7150; declare o2 rule main in api with 0; declare o3 environment staging with 0; " +
    "declare o4 environment in api with 0; save; apply saved: dies after write 2; " +
    "apply: any 1-2: silence, GET 7: 404, described",
};

/** Rules for writes whose responses do not prove the outcome, and for reports after failed reads. */
export const UNPROVEN: Rules = {
  ...each("KIND", ["environment", "rule"], {
    "under Terraform, KIND with an unknown create is imported by the command in the error":
      "under Terraform; declare o1 list in api with 4; declare o2 KIND; " +
      "apply: GET after write 1-6: 500, write 2: 502 after",
  }),
  "a report that names a project by its number is about that project":
    "declare o1 invitation with 0, by number; declare o3 environment in api with 6, by number; apply; " +
    "plan: GET 5-6: 403, described",
};

/** Rules for stories under habits of the live platform. */
export const UNDER_HABITS: Rules = {
  "an entry that a shifting list leaves out is not added again":
    "seed 20006010; pages of 1; habits shifting-lists; declare o1 list in api with 12; apply; content o1 8; " +
    "apply: described",
  "an entry to remove that a shifting list leaves out is removed":
    "pages of 1; habits shifting-lists; declare o1 list in api with 12; apply; content o1 4; apply: described",
  "a single entry takes over an entry of a whole list that a shifting list leaves out":
    "pages of 1; habits shifting-lists; declare o2 list in api with 9; apply; single api a",
  "entries that two shifting lists leave out in turn were not dropped by the service":
    "pages of 1; habits shifting-lists; declare o1 environment staging in api with 2, by number; " +
    "declare o2 list in api with 13, by number; apply: GET 4: 404",
  "a manual entry that a shifting list leaves out is not the result of a lost create":
    "seed 23000001; pages of 1; habits shifting-lists; declare o2 group_entry approvers with 0; " +
    "declare o4 entry runner with 0; hand add entry runner with 2; apply: write 2: 502 after",
  "the state holds an object after a lost response, although the service dropped its elements":
    "seed 23000378; habits dropped-entries; declare o1 environment staging in api with 13; apply: write 1-4: cut; drop o1",
  "the state holds an object after a kill, although the service dropped its elements":
    "habits dropped-entries; declare o1 environment staging in api with 13; apply: dies after write 1; drop o1",
  ...each("LAG", [759, 4000], {
    ...each("KIND", ["entry", "group_entry", "environment", "rule", "invitation", "group_invitation"], {
      "KIND of the last run stays in the state of the next run, although reads are LAG ms behind":
        "stacks a b; states in service; habits lagging-replicas; replicas lag LAG ms; declare one KIND; " +
        "declare two environment staging in api in stack b; " +
        "both apply: --lock-timeout 60000ms and 105 ms later apply: --lock-timeout 60000ms",
    }),
  }),
  ...forEach([{ LAG: 400 }, { LAG: 4277 }, { LAG: 9000 }], {
    "an entry that a killed run added is recovered from replicas that are LAG ms behind":
      "seed 20006181; habits lagging-replicas; replicas lag LAG ms; declare o1 list in api with 6; " +
      "declare o2 list with 0; apply: dies at 251; drop o1; apply",
    "an entry that a killed run changed is recovered from replicas that are LAG ms behind":
      "habits lagging-replicas; replicas lag LAG ms; declare o1 list in api with 1; declare o2 list with 0; apply; " +
      "content o1 7; apply: dies after write 2; drop o1; apply",
    "an object that a killed run deleted is created again from replicas that are LAG ms behind":
      "habits lagging-replicas; replicas lag LAG ms; declare o1 environment in api with 1; apply; drop o1; " +
      "apply: dies after write 1; declare o1 environment in api with 1; apply",
  }),
};

/**
 * Other declarations of entries of the same list. These declarations refer to the project by path, and the request for
 * this path fails.
 */
const OTHERS = [
  { WHAT: "a whole list", OTHERS: "declare o2 list with 0" },
  {
    WHAT: "a whole list of another configuration",
    OTHERS: "declare o2 list with 0, through another configuration",
  },
  { WHAT: "single entries", OTHERS: "declare o2 entry runner with 0; declare o3 entry with 0" },
];

/** Faults of the requests for a whole list. */
const REFUSALS = [
  { FIRST: 1, LAST: 5, FAULT: "403" },
  { FIRST: 2, LAST: 6, FAULT: "403" },
  { FIRST: 2, LAST: 6, FAULT: "request lost" },
];

export const FOUND: Rules = {
  ...UNPROVEN,
  ...DENIED,
  "a state that a failed save may have stored is replaced, also by the previous state":
    "states in service; declare o1 scope in api with 0; apply; " +
    "apply: write 4: response lost, write 4-9: 500, --replace o1",
  ...UNDER_HABITS,
  ...forEach(OTHERS, {
    "an entry by number is not written while WHAT by path can't be looked up":
      "seed 150481; declare o1 entry with 0, by number; OTHERS; apply: GET 2: 403",
  }),
  "a repair creates a deleted object again after a takeover, also if it is declared by number":
    "seed 106811; declare o1 environment staging in api with 0, by number; " +
    "hand add environment staging in api with 0; apply: --import-existing; " +
    "hand delete environment staging in api with 0; repair",
  "a repair creates a deleted object again, also if it is declared by number since":
    "seed 106811; declare o1 environment staging in api with 0; apply; respell o1 id; " +
    "hand delete environment staging in api with 0; repair",
  "single entries that take over a whole list are not removed by its delete at the same time":
    "seed 5762; declare o1 list with 7; import o1; rename o1 o1_r2, by a block; single web a",
  "a whole list after a failed create keeps its entries, although Terraform replaces it":
    "seed 104351; under Terraform; declare o3 list in api with 15; apply: write 4-5: 403",
  "Terraform does not replace a setting with prevent_destroy after a failed create":
    "seed 102911; under Terraform; declare o2 pages with 0, with prevent_destroy; " +
    "apply: write 1: request lost, write 2: 403",
  "the next run removes the guards of two dead runs":
    "seed 152042; stacks a b; apply: dies at 99, described; destroy: dies at 183, described",
  "the access of a plan leaves out a stack that could not be planned":
    "seed 153453; stacks a b; declare o1 environment staging in api with 0 in stack b; " +
    "declare o3 invitation in api with 0; hand add environment staging in api with 0; plan: described",
  "an object of a dead run with manual changes is imported by the id in the error":
    "seed 106135; declare o1 rule main with 0; declare o3 environment in api with 0; apply: dies after write 2; " +
    "hand change rule main",
  "an object of another stack moves by the command in the error, although its address holds another object":
    "seed 106551; stacks a b c; declare o3 environment staging in api with 0 in stack c; " +
    "declare o4 environment in api with 0; apply; drop o3; retarget o4 1",
  "an undeclared entry is removed, also while its list is declared twice":
    "seed 164261; stacks a b; declare o1 group_entry approvers; declare o3 group_entry in stack b; apply; " +
    "declare o4 list with 0; drop o3",
  "under Terraform, a whole list becomes a single entry by the block in the error":
    "seed 164623; under Terraform; declare o1 list; apply; declare o2 entry with 0; " +
    "rename o1 o1_r3, by a block; drop o1_r3",
  "no object is taken over while the state of another stack that may hold it is unreadable":
    "seed 114896; stacks a b; states in service; declare o1 environment in api with 0; apply; restack o1 b; " +
    "plan: GET 2-4: late, described, --import-existing",
  "a whole list stays in Terraform's state if its create fails in part and its read fails":
    "seed 162495; under Terraform; declare o2 rule main with 0; declare o3 list in api with 5, by number; " +
    "apply: GET after write 1-10000: 503, write 3: 500",
  "a run with a full journal that dies after it saved its state is recovered":
    "seed 160117; states in service; declare o1 scope with 0, through another configuration; " +
    "declare o2 entry with 0; apply: POST 3-8: 403, dies after write 4",
  "two stacks exchange their objects by the commands in the errors":
    "seed 106551; stacks a b; declare o3 environment staging in api with 0; " +
    "declare o5 environment in api with 0 in stack b; apply; retarget o3 0; retarget o5 1",
  "all declarations of another stack move to it by one command, also to addresses with other objects":
    "seed 106551; stacks a b; declare o3 environment staging in api with 0; declare o4 environment with 0; " +
    "declare o5 environment in api with 0 in stack b; declare o6 environment staging with 0 in stack b; apply; " +
    "drop o3; drop o4; retarget o5 1; retarget o6 0; move declared from a to b",
  "an unfinished move between stacks ends at its addresses, for any later names in the code":
    "seed 106663; stacks a b; declare o1 rule main with 0; apply; restack o1 b; " +
    "move declared from a to b: dies at 231; rename o1 o1_r2, by a block",
  "an object that one run takes over from another stack is not the result of a run at the same time":
    "seed 125766; stacks a b; declare o1 entry runner with 0 in stack b; declare o2 entry runner in api with 0; " +
    "hand add entry runner; both apply and 45 ms later apply: --import-existing",
  "an import during a run that creates another entry of the list is not taken over by that run":
    "seed 173449; declare o1 entry in api with 0; declare o2 entry runner in api with 0; " +
    "hand add entry runner in api; both apply and 31 ms later import o2: --lock-timeout 60000ms",
  "a late create of a dead run is refused like a manual object, if another run looked for it before":
    "seed 133304; declare o1 environment staging in api with 7; declare o2 pages in api with 0; " +
    "declare o4 entry runner in api with 0; " +
    "both apply: dies after write 2, described and 139 ms later plan: --lock-timeout 60000ms",
  "a manual object that is deleted during the read of a plan is not the result of a run":
    "seed 180996; declare o1 group_invitation with 0; declare o2 group_entry in api with 0; " +
    "declare o3 rule main in api with 0; hand add rule main in api with 4; " +
    "plan: GET 3: cut, after 7 delete rule main in api",
  ...forEach(REFUSALS, {
    "an undeclared entry stays in the state until its list removes it (write FIRST of the list: FAULT)":
      "seed 125462; declare o1 entry in api with 0; apply; drop o1; declare o3 list in api with 2; " +
      "apply: write FIRST-LAST: FAULT",
  }),
  "an entry that a block renames and a list takes over is shown by one change":
    "seed 126665; declare o2 entry with 0; apply; rename o2 o2_r4, by a block; whole web a",
  ...each("KIND", ["scope", "pages", "list"], {
    "KIND whose destroy could not be saved is created again by the next apply":
      "seed 171413; declare o1 KIND with 0; apply; destroy: disk 9-1008: full",
  }),
  "a setting of a run that died after the intent to destroy it is created again by the next apply":
    "seed 176286; states in service; declare o4 scope with 0; apply; destroy: dies after write 4",
  "an object of the first configuration in the state is not imported through the second configuration":
    "seed 171395; declare o1 invitation with 0; apply; " +
    "declare o4 invitation with 0, through another configuration; import o4",
  "an object of the second configuration in the state is not imported through the first configuration":
    "seed 171395; declare o1 invitation with 0, through another configuration; apply; " +
    "declare o4 invitation with 0; import o4",
  "a possible entry of a lost write stays in a list that was taken over from another stack":
    "seed 141473; stacks a b; declare o1 group_entry approvers with 0; declare o2 entry runner with 0; " +
    "declare o3 entry with 0, through another configuration; apply; whole web b, through another configuration; " +
    "apply: POST 1: 502 after, after 3 delete entry with 8",
  "a saved plan is refused after a dead run, whose objects are not called foreign":
    "seed 146093; declare o1 environment in api with 0; declare o2 environment staging with 0; save; " +
    "apply: dies after write 2; apply saved",
};
