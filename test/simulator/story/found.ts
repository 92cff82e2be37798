// Stories of faults that random seeds found and that are fixed, as small as they shrank.
import { each, forEach, type Rules } from "./rules";

/** The service says 404 of what is there. */
const DENIED: Rules = {
  ...each("KIND", ["environment", "rule", "entry", "group_entry", "invitation", "group_invitation"], {
    "2 times 404 is no evidence that an interrupted create of KIND did not make it":
      "seed 102; declare one KIND; apply: dies after write 1; apply: GET 1-2: 404",
    "3 times 404 is no evidence that an interrupted create of KIND did not make it":
      "seed 103; declare one KIND; apply: dies after write 1; apply: GET 1-3: 404",
  }),
  ...each("KIND", ["environment", "rule", "entry", "invitation", "group_invitation"], {
    "KIND stays in the state when its delete is answered with 404 and it is still there":
      "declare one KIND; apply; drop one; apply: DELETE 1-6: 404",
  }),
  "one 404 for what holds an object is no evidence that an interrupted create did not make it":
    "seed 103429; declare one group_entry; apply: dies after write 1; apply: GET 1: 404",
  "a project is not gone to an administrator because one read of it is answered with 404":
    "seed 104053; declare o1 environment staging with 0; " +
    "declare o2 environment with 0, through another configuration; apply: dies after write 1; apply: GET 3-7: 404",
  "one 404 is not believed while the list that is read next shows the object":
    "seed 7150; declare o2 rule main in api with 0; declare o3 environment staging with 0; " +
    "declare o4 environment in api with 0; save; apply saved: dies after write 2; " +
    "apply: any 1-2: silence, GET 7: 404, described",
};

/** Outcomes that a response does not prove, and reports after failed reads. */
export const UNPROVEN: Rules = {
  ...each("KIND", ["environment", "rule"], {
    "KIND whose create can't be looked for is imported by the command that the error names under Terraform":
      "under Terraform; declare o1 list in api with 4; declare o2 KIND; " +
      "apply: GET after write 1-6: 500, write 2: 502 after",
  }),
  "a report that names a project by its number is about that project":
    "declare o1 invitation with 0, by number; declare o3 environment in api with 6, by number; apply; " +
    "plan: GET 5-6: 403, described",
};

/** Under habits of the live platform. */
export const UNDER_HABITS: Rules = {
  "an entry that a shifting list leaves out is not added again":
    "seed 20006010; pages of 1; habits shifting-lists; declare o1 list in api with 12; apply; content o1 8; " +
    "apply: described",
  "an entry to remove that a shifting list leaves out is removed":
    "pages of 1; habits shifting-lists; declare o1 list in api with 12; apply; content o1 4; apply: described",
  "a single entry takes over what a whole list made and a shifting list leaves out":
    "pages of 1; habits shifting-lists; declare o2 list in api with 9; apply; single api a",
  "entries that two shifting lists leave out by turns are not what the service dropped":
    "pages of 1; habits shifting-lists; declare o1 environment staging in api with 2, by number; " +
    "declare o2 list in api with 13, by number; apply: GET 4: 404",
  "an entry by hand that a shifting list leaves out is not the work of a lost create":
    "seed 23000001; pages of 1; habits shifting-lists; declare o2 group_entry approvers with 0; " +
    "declare o4 entry runner with 0; by hand add entry runner with 2; apply: write 2: 502 after",
  "the state holds an object whose create response was lost and whose elements the service dropped":
    "seed 23000378; habits dropped-entries; declare o1 environment staging in api with 13; apply: write 1-4: cut; drop o1",
  "the state holds an object whose create was killed and whose elements the service dropped":
    "habits dropped-entries; declare o1 environment staging in api with 13; apply: dies after write 1; drop o1",
  ...each("LAG", [759, 4000], {
    ...each("KIND", ["entry", "group_entry", "environment", "rule", "invitation", "group_invitation"], {
      "KIND of a run that has just ended stays in the state of the next one, although reads are LAG ms behind":
        "stacks a b; states in service; habits lagging-replicas; replicas lag LAG ms; declare one KIND; " +
        "declare two environment staging in api in stack b; " +
        "both apply: waits 60000 ms and 105 ms later apply: waits 60000 ms",
    }),
  }),
  ...forEach([{ LAG: 400 }, { LAG: 4277 }, { LAG: 9000 }], {
    "what a killed run added to a list is recovered from replicas that are LAG ms behind":
      "seed 20006181; habits lagging-replicas; replicas lag LAG ms; declare o1 list in api with 6; " +
      "declare o2 list with 0; apply: dies at 251; drop o1; apply",
    "what a killed run changed in a list is recovered from replicas that are LAG ms behind":
      "habits lagging-replicas; replicas lag LAG ms; declare o1 list in api with 1; declare o2 list with 0; apply; " +
      "content o1 7; apply: dies after write 2; drop o1; apply",
    "an object that a killed run deleted is created again from replicas that are LAG ms behind":
      "habits lagging-replicas; replicas lag LAG ms; declare o1 environment in api with 1; apply; drop o1; " +
      "apply: dies after write 1; declare o1 environment in api with 1; apply",
  }),
};

/** The ownership of a declaration by path, whose project cannot be looked up, next to a declaration by number. */
const OTHERS = [
  { WHAT: "a whole list", OTHERS: "declare o2 list with 0" },
  {
    WHAT: "a whole list of another configuration",
    OTHERS: "declare o2 list with 0, through another configuration",
  },
  { WHAT: "single entries", OTHERS: "declare o2 entry runner with 0; declare o3 entry with 0" },
];

/** How the requests of a whole list fail. */
const REFUSALS = [
  { FIRST: 1, LAST: 5, FAULT: "403" },
  { FIRST: 2, LAST: 6, FAULT: "403" },
  { FIRST: 2, LAST: 6, FAULT: "request lost" },
];

export const FOUND: Rules = {
  ...UNPROVEN,
  ...DENIED,
  "a state that a failed save may have stored is replaced, also by the one before":
    "states in service; declare o1 scope in api with 0; apply; " +
    "apply: write 4: answer lost, write 4-9: 500, replaces o1",
  ...UNDER_HABITS,
  ...forEach(OTHERS, {
    "an entry by number is not written while WHAT by path can't be looked up":
      "seed 150481; declare o1 entry with 0, by number; OTHERS; apply: GET 2: 403",
  }),
  "a repair makes again what was taken over and deleted, and is declared by number":
    "seed 106811; declare o1 environment staging in api with 0, by number; " +
    "by hand add environment staging in api with 0; apply: with what exists; " +
    "by hand delete environment staging in api with 0; repair",
  "a repair makes again what was deleted and is declared by number since":
    "seed 106811; declare o1 environment staging in api with 0; apply; respell o1 id; " +
    "by hand delete environment staging in api with 0; repair",
  "single entries that take over a whole list are not removed by its delete, which runs beside them":
    "seed 5762; declare o1 list with 7; import o1; rename o1 o1_r2, by a block; single web a",
  "a whole list whose create failed in part keeps what it has, although Terraform replaces it":
    "seed 104351; under Terraform; declare o3 list in api with 15; apply: write 4-5: 403",
  "a setting whose create failed and that prevent_destroy holds is not replaced by Terraform":
    "seed 102911; under Terraform; declare o2 pages with 0, with prevent_destroy; " +
    "apply: write 1: request lost, write 2: 403",
  "what two runs that died left of a lock's guards is removed by the next run":
    "seed 152042; stacks a b; apply: dies at 99, described; destroy: dies at 183, described",
  "the access that a plan tells is not that of a stack that could not be planned":
    "seed 153453; stacks a b; declare o1 environment staging in api with 0 in stack b; " +
    "declare o3 invitation in api with 0; by hand add environment staging in api with 0; plan: described",
  "what a run that died had made, and people changed, is imported by the id that the error says":
    "seed 106135; declare o1 rule main with 0; declare o3 environment in api with 0; apply: dies after write 2; " +
    "by hand change rule main",
  "what another stack holds moves by the command of the error where its address holds another object":
    "seed 106551; stacks a b c; declare o3 environment staging in api with 0 in stack c; " +
    "declare o4 environment in api with 0; apply; drop o3; retarget o4 1",
  "an entry that nobody declares any more goes also while its list is declared twice":
    "seed 164261; stacks a b; declare o1 group_entry approvers; declare o3 group_entry in stack b; apply; " +
    "declare o4 list with 0; drop o3",
  "a whole list becomes a single entry under Terraform, by the block that the error names":
    "seed 164623; under Terraform; declare o1 list; apply; declare o2 entry with 0; " +
    "rename o1 o1_r3, by a block; drop o1_r3",
  "nothing is taken over while the state of another stack, which may hold it, can't be read":
    "seed 114896; stacks a b; states in service; declare o1 environment in api with 0; apply; restack o1 b; " +
    "plan: GET 2-4: late, described, with what exists",
  "a whole list whose create failed in part, and can't be read then, stays in Terraform's state":
    "seed 162495; under Terraform; declare o2 rule main with 0; declare o3 list in api with 5, by number; " +
    "apply: GET after write 1-10000: 503, write 3: 500",
  "a run whose journal can't be written any more, and that dies once it saved its state, is recovered":
    "seed 160117; states in service; declare o1 scope with 0, through another configuration; " +
    "declare o2 entry with 0; apply: POST 3-8: 403, dies after write 4",
  "two stacks exchange what they declare, by the commands of the errors":
    "seed 106551; stacks a b; declare o3 environment staging in api with 0; " +
    "declare o5 environment in api with 0 in stack b; apply; retarget o3 0; retarget o5 1",
  "all that another stack declares moves to it by one command, also to addresses that hold other objects":
    "seed 106551; stacks a b; declare o3 environment staging in api with 0; declare o4 environment with 0; " +
    "declare o5 environment in api with 0 in stack b; declare o6 environment staging with 0 in stack b; apply; " +
    "drop o3; drop o4; retarget o5 1; retarget o6 0; move declared from a to b",
  "a move between stacks that was begun ends at its addresses, whatever the code calls its objects since":
    "seed 106663; stacks a b; declare o1 rule main with 0; apply; restack o1 b; " +
    "move declared from a to b: dies at 231; rename o1 o1_r2, by a block",
  "what one run takes over of another stack is not the work of a run beside it, which is not asked to":
    "seed 125766; stacks a b; declare o1 entry runner with 0 in stack b; declare o2 entry runner in api with 0; " +
    "by hand add entry runner; both apply and 45 ms later apply: with what exists",
  "what is imported while a run makes another entry of that list is not taken over by that run":
    "seed 173449; declare o1 entry in api with 0; declare o2 entry runner in api with 0; " +
    "by hand add entry runner in api; both apply and 31 ms later import o2: waits 60000 ms",
  "what a dead run had sent, and another run looked for before it arrived, is refused as what people made":
    "seed 133304; declare o1 environment staging in api with 7; declare o2 pages in api with 0; " +
    "declare o4 entry runner in api with 0; " +
    "both apply: dies after write 2, described and 139 ms later plan: waits 60000 ms",
  "what people made before a plan, and took away while it read, is not the work of a run":
    "seed 180996; declare o1 group_invitation with 0; declare o2 group_entry in api with 0; " +
    "declare o3 rule main in api with 0; by hand add rule main in api with 4; " +
    "plan: GET 3: cut, after 7 delete rule main in api",
  ...forEach(REFUSALS, {
    "an entry that nobody declares any more is held until its list removes it (write FIRST of the list: FAULT)":
      "seed 125462; declare o1 entry in api with 0; apply; drop o1; declare o3 list in api with 2; " +
      "apply: write FIRST-LAST: FAULT",
  }),
  "an entry that a block renames and a list takes over is shown by one change":
    "seed 126665; declare o2 entry with 0; apply; rename o2 o2_r4, by a block; whole web a",
  ...each("KIND", ["scope", "pages", "list"], {
    "KIND whose destroy could not be saved is made again by the next apply":
      "seed 171413; declare o1 KIND with 0; apply; destroy: disk 9-1008: full",
  }),
  "a setting whose destroy was announced, and whose run died, is made again by the next apply":
    "seed 176286; states in service; declare o4 scope with 0; apply; destroy: dies after write 4",
  "what the state holds through the first configuration is not imported through the second one":
    "seed 171395; declare o1 invitation with 0; apply; " +
    "declare o4 invitation with 0, through another configuration; import o4",
  "what the state holds through the second configuration is not imported through the first one":
    "seed 171395; declare o1 invitation with 0, through another configuration; apply; " +
    "declare o4 invitation with 0; import o4",
  "what a lost write may have added to a list that was taken over from another stack is not forgotten":
    "seed 141473; stacks a b; declare o1 group_entry approvers with 0; declare o2 entry runner with 0; " +
    "declare o3 entry with 0, through another configuration; apply; whole web b, through another configuration; " +
    "apply: POST 1: 502 after, after 3 delete entry with 8",
  "a saved plan is refused after a run that died, and does not call foreign what that run made":
    "seed 146093; declare o1 environment in api with 0; declare o2 environment staging with 0; save; " +
    "apply: dies after write 2; apply saved",
};
