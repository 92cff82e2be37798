// What a second line of defence would hide, as stories: the rule shows in what is planned, sent or saved.
import { KEYS } from "../world/objects";
import { APPLY, declare, diesAfterWrite, inOneStack, inStacks, meets, run, thing } from "./steps";
import type { HoldingStory, Run, Step, Story } from "./story";

const PRODUCTION = thing("environment");
const STAGING = thing("environment", { key: "staging" });
const DESCRIBED = run({ describes: true });
const TWO: readonly Step[] = [declare("one", PRODUCTION), declare("two", STAGING)];

/** Objects that have another address, shown and sent. */
const MOVED: readonly HoldingStory[] = [
  ...[true, false].map((hasBlock) => ({
    rule: `a rename ${hasBlock ? "with a moved block" : "without one"} shows no request`,
    story: inOneStack(
      ...TWO,
      APPLY,
      { edit: "rename", name: "one", to: "three", hasBlock },
      run({ do: "plan" }),
      DESCRIBED,
    ),
  })),
  {
    rule: "an address that takes over what another one held shows the delete of its own object alone",
    story: inOneStack(
      ...TWO,
      APPLY,
      { edit: "retarget", name: "one", key: 1 },
      { edit: "drop", name: "two" },
      run({ do: "plan" }),
      DESCRIBED,
    ),
  },
  {
    rule: "what moves away from a declaration with a count of 0 is not deleted there",
    story: inOneStack(
      declare("one", PRODUCTION),
      APPLY,
      { edit: "empty", name: "one" },
      declare("two", PRODUCTION),
      run({ do: "plan" }),
      DESCRIBED,
    ),
  },
  ...[2, 3, 4].map((afterWrite) => ({
    rule: `a run that dies after changing an object at its new address is recovered (write ${afterWrite})`,
    story: inOneStack(
      ...TWO,
      APPLY,
      { edit: "rename", name: "one", to: "other", hasBlock: true },
      { edit: "content", name: "other", content: 2 },
      { edit: "content", name: "two", content: 3 },
      declare("list", thing("list", { content: 15 })),
      run(diesAfterWrite(afterWrite)),
      run({ do: "plan" }),
    ),
  })),
  ...[45, 65, 85, 105, 125, 145, 165, 185, 205, 225].map((at) => ({
    rule: `a move between stacks that dies at call ${at} is known to who applies the second one alone`,
    story: inStacks(
      ["a", "b"],
      ...TWO,
      declare("three", thing("rule"), { stack: "b" }),
      APPLY,
      { edit: "restack", name: "one", stack: "b" },
      run({ do: "move", name: "one", from: "a", to: "b", crash: { at } }),
      run({ stacks: ["b"] }),
    ),
  })),
];

/** Parts of a list that change hands, shown and sent. */
const PARTS: readonly HoldingStory[] = [
  {
    rule: "an entry that a whole list leaves out is removed once",
    story: inOneStack(
      declare("one", thing("entry")),
      declare("two", thing("group_entry")),
      declare("three", thing("entry", { key: "runner" })),
      APPLY,
      { edit: "drop", name: "three" },
      { edit: "whole", at: "web", stack: "a" },
      DESCRIBED,
    ),
  },
  {
    rule: "a plan tells that an entry stays which is held on its own, while its former list could not be removed",
    story: inOneStack(
      declare("limit", thing("scope")),
      declare("all", thing("list", { content: 3 })),
      APPLY,
      { edit: "single", at: "web", stack: "a" },
      { edit: "drop", name: "one_web_runner_a" },
      run(meets("DELETE", 1, "403", 9)),
      run({ do: "plan", describes: true }),
      DESCRIBED,
    ),
  },
  {
    rule: "the state of a list that changed is what the service has then",
    story: inOneStack(
      declare("all", thing("list", { content: 3 })),
      APPLY,
      { edit: "content", name: "all", content: 5 },
      APPLY,
      { edit: "content", name: "all", content: 10 },
      DESCRIBED,
    ),
  },
];

/** What is replaced has the same place on the service. */
const REPLACED: readonly HoldingStory[] = (
  ["environment", "rule", "invitation", "entry", "group_entry", "group_invitation"] as const
).flatMap((kind) =>
  [{}, meets("POST", 1, "answer lost"), meets("POST", 1, "request lost")].map((fault, index) => ({
    rule: `a replacement of ${kind} in its place is made once (${["nothing goes wrong", "its answer is lost", "it is lost"][index]})`,
    story: inOneStack(
      declare("one", thing(kind)),
      declare("two", thing(kind, { key: KEYS[kind][1]! })),
      APPLY,
      run({ replaces: ["one"], ...fault }),
    ),
  })),
);

/** Somebody is faster, at each request of a run. */
const FOREIGN: readonly HoldingStory[] = (["environment", "rule", "invitation", "entry"] as const).flatMap(
  (kind) =>
    [2, 3, 4, 5].flatMap((after) =>
      [undefined, "request lost" as const].map((fault) => ({
        rule: `what somebody made of ${kind} after request ${after} is not taken over${fault === undefined ? "" : ", although the create was lost"}`,
        story: inOneStack(
          declare("one", thing(kind)),
          run({
            ...(fault && meets("POST", 1, fault)),
            meanwhile: [{ hand: "add", thing: thing(kind), after }],
          }),
        ),
      })),
    ),
);

/** Somebody was faster, and the list that shows it was read because another create was lost. */
const SEEN: readonly HoldingStory[] = [4, 5, 6].map((after) => ({
  rule: `what somebody made after request ${after}, and a look for another create has shown, is not taken over although the create was lost`,
  story: inOneStack(
    declare("two", thing("rule")),
    declare("one", thing("rule", { key: KEYS.rule[1]! })),
    run({
      parallelism: 1,
      network: [
        { on: "POST", nth: 1, fault: "502 after" },
        { on: "POST", nth: 2, fault: "request lost" },
      ],
      meanwhile: [{ hand: "add", thing: thing("rule", { key: KEYS.rule[1]! }), after }],
    }),
  ),
}));

/** Answered before a state was saved again: another request is being looked for. */
const ANSWERED: readonly HoldingStory[] = [155, 164, 179].map((at) => ({
  rule: `what was answered is in the journal while another request is looked for (dies at call ${at})`,
  story: inOneStack(
    ...TWO,
    declare("three", { ...PRODUCTION, at: "api" }),
    run({ ...meets("POST", 3, "request lost"), crash: { at } }),
  ),
}));

/** A journal whose name is not on the disk is of no use, whatever its lines say. */
const NAMED: readonly HoldingStory[] = [31, 1, 2].map((seed) => ({
  rule: `a journal's name is on the disk before anything is sent (power failure ${seed})`,
  story: { ...inOneStack(...TWO, run({ crash: { afterWrite: 1, power: true } })), seed },
}));

const isPaged = (story: Story): Story => ({ ...story, pageLimit: 1 });

/** Lists in pages that are read while the same run writes them. */
const PAGED: readonly HoldingStory[] = (["request lost", "answer lost"] as const).flatMap((fault) =>
  [1, 2, 3, 4].map((nth) => ({
    rule: `a list is not read in pages while it is written, where write ${nth} is lost (${fault})`,
    story: isPaged(
      inOneStack(
        declare("one", thing("entry")),
        declare("two", thing("entry", { key: "runner" })),
        declare("three", thing("entry", { key: "docs" as never })),
        APPLY,
        { edit: "drop", name: "one" },
        { edit: "drop", name: "two" },
        declare("four", thing("entry", { key: "api" as never })),
        run({
          network: [
            { on: "DELETE", nth, fault },
            { on: "POST", nth: 1, fault: "429" },
          ],
        } as Partial<Run>),
      ),
    ),
  })),
);

export const HIDDEN: readonly HoldingStory[] = [
  ...MOVED,
  ...PARTS,
  ...REPLACED,
  ...FOREIGN,
  ...SEEN,
  ...ANSWERED,
  ...NAMED,
  ...PAGED,
];
