import type { RequestFault } from "../network/network";
import type { Kind } from "../world/objects";
import { ATTEMPTS_STORIES } from "./attempts";
import { DEATHS } from "./deaths";
import { FOUND } from "./found";
import { HIDDEN } from "./hidden";
import { LISTS } from "./lists";
import { ORDERS } from "./orders";
import { OWNERSHIP } from "./ownership";
import { REPORTS } from "./reports";
import { APPLY, declare, inOneStack, inStacks, KINDS, run, thing } from "./steps";
import type { HoldingStory, Run, Step } from "./story";

const TAKE_OVER = run({ importExisting: true });
const lost = (fault: RequestFault, nth = 1): Step => run({ network: [{ on: "write", nth, fault }] });
const killed = run({ crash: { afterWrite: 1 } });
const BLIND: Run["network"] = [
  { on: "write", nth: 1, fault: "answer lost" },
  { on: "GET after write", nth: 1, times: 40, fault: "500" },
];

/** What can become of a request that may have been done. */
const LOSSES: readonly RequestFault[] = ["answer lost", "502 after", "silence", "late"];

const ofKind = (kind: Kind): HoldingStory[] => {
  const made = declare("one", thing(kind));
  const changed: Step = { edit: "content", name: "one", content: 2 };
  const dropped: Step = { edit: "drop", name: "one" };
  return [
    ...LOSSES.map((loss) => ({
      rule: `a create of ${kind} may have been done (${loss}): it is looked for, and made once`,
      story: inOneStack(made, lost(loss)),
    })),
    ...LOSSES.slice(0, 2).flatMap((loss) => [
      {
        rule: `a change of ${kind} may have been done (${loss}): it is looked for`,
        story: inOneStack(made, APPLY, changed, lost(loss)),
      },
      {
        rule: `a delete of ${kind} may have been done (${loss}): it is looked for`,
        story: inOneStack(made, APPLY, dropped, lost(loss)),
      },
    ]),
    { rule: `a run that dies after creating ${kind} is recovered`, story: inOneStack(made, killed) },
    {
      rule: `an apply takes over ${kind} that people made, and changes it as declared`,
      story: inOneStack({ hand: "add", thing: { ...thing(kind), content: 2 } }, made, TAKE_OVER),
    },
    {
      rule: `a run that dies while it changes ${kind} that it took over is recovered`,
      story: inOneStack({ hand: "add", thing: { ...thing(kind), content: 2 } }, made, {
        run: { do: "apply", importExisting: true, crash: { afterWrite: 1 } },
      }),
    },
    {
      rule: `a run that dies after changing ${kind} is recovered`,
      story: inOneStack(made, APPLY, changed, killed),
    },
    {
      rule: `a run that dies after deleting ${kind} is recovered`,
      story: inOneStack(made, APPLY, dropped, killed),
    },
    {
      rule: `a refused delete of ${kind} keeps it in the state`,
      story: inOneStack(
        made,
        APPLY,
        dropped,
        run({ network: [{ on: "DELETE", nth: 1, times: 9, fault: "403" }] }),
      ),
    },
    {
      rule: `a refused change of ${kind} is an error`,
      story: inOneStack(
        made,
        APPLY,
        changed,
        run({ network: [{ on: "write", nth: 1, times: 9, fault: "403" }] }),
      ),
    },
  ];
};

const production = thing("environment");
const staging = thing("environment", { key: "staging" });
const TWO: readonly Step[] = [declare("one", production), declare("two", staging)];

export const HOLDING_STORIES: readonly HoldingStory[] = [
  ...OWNERSHIP,
  ...FOUND,
  ...HIDDEN,
  ...REPORTS,
  ...ATTEMPTS_STORIES,
  ...DEATHS,
  ...LISTS,
  ...ORDERS,
  ...KINDS.flatMap(ofKind),
  ...(["environment", "rule", "invitation"] as const).map((kind) => ({
    rule: `a create of ${kind} that can't be looked for stays open until it can`,
    story: inOneStack(declare("one", thing(kind)), run({ network: BLIND! }), APPLY),
  })),
  {
    rule: "an open create stays open while another run can't look either, and does other things",
    story: inOneStack(
      declare("one", production),
      run({ network: BLIND! }),
      declare("two", thing("rule")),
      declare("three", { ...staging, at: "api" }),
      run({ network: [{ on: "GET", nth: 1, times: 2, fault: "500" }], crash: { afterWrite: 1 } }),
      APPLY,
    ),
  },
  {
    rule: "two open creates are both recovered",
    story: inOneStack(...TWO, run({ crash: { afterWrite: 2 } }), APPLY),
  },
  {
    rule: "a state that can't be written leaves its changes to the journal",
    story: inOneStack(
      declare("one", production),
      APPLY,
      declare("two", staging),
      run({ disk: [{ write: 14, times: 1000, fault: "full" }] }),
    ),
  },
  ...[8, 10, 12, 16, 18, 20, 22, 24].map((write) => ({
    rule: `a disk that is full from write ${write} on loses nothing`,
    story: inOneStack(...TWO, run({ disk: [{ write, times: 1000, fault: "full" }] })),
  })),
  {
    rule: "what somebody made by hand is refused, and not taken over",
    story: inOneStack({ hand: "add", thing: production }, declare("one", production), APPLY),
  },
  {
    rule: "what somebody made by hand while an answer was lost is not taken over",
    story: inOneStack(
      declare("one", thing("rule")),
      { hand: "add", thing: thing("rule") },
      run({ network: [{ on: "POST", nth: 1, fault: "request lost" }] }),
    ),
  },
  {
    rule: "a create that died before it was sent does not claim what somebody made since",
    story: inOneStack(
      declare("one", production),
      run({ network: [{ on: "POST", nth: 1, times: 9, fault: "request lost" }], crash: { at: 95 } }),
      { hand: "add", thing: production },
      APPLY,
    ),
  },
  {
    rule: "what prevent_destroy holds is neither deleted nor replaced",
    story: inOneStack(
      declare("one", production, { preventDestroy: true }),
      APPLY,
      { edit: "retarget", name: "one", key: 1 },
      APPLY,
      run({ do: "destroy" }),
    ),
  },
  ...["repair", "drift", "plan"].map((operation) => ({
    rule: `${operation} sees what was changed and deleted by hand`,
    story: inOneStack(
      ...TWO,
      APPLY,
      { hand: "delete", thing: production },
      { hand: "change", thing: staging },
      run({ do: operation as "plan" }),
    ),
  })),
  {
    rule: "a repair leaves what the code changed since",
    story: inOneStack(
      ...TWO,
      APPLY,
      { edit: "content", name: "one", content: 3 },
      { hand: "change", thing: production },
      run({ do: "repair" }),
    ),
  },
  // The journal is cleared at the end: between calls 112 and 124.
  ...[20, 32, 44, 56, 112, 114, 116, 118, 120, 122, 124].map((at) => ({
    rule: `a recovery that dies at call ${at} is done again`,
    story: inOneStack(declare("one", production), killed, run({ crash: { at } })),
  })),
  ...[40, 50, 60, 65, 70, 75, 80, 90].map((at) => ({
    rule: `a delete that dies at call ${at} is done, or the object stays in the state`,
    story: inOneStack(
      declare("one", production),
      APPLY,
      { edit: "drop", name: "one" },
      run({ crash: { at } }),
    ),
  })),
  ...(["403", "500"] as const).flatMap((fault) =>
    ["plan", "apply", "drift", "repair"].map((operation) => ({
      rule: `a ${operation} says what it could not read (${fault})`,
      story: inOneStack(
        ...TWO,
        APPLY,
        run({ do: operation as "plan", network: [{ on: "GET", nth: 1, times: 9, fault }] }),
      ),
    })),
  ),
  ...[true, false].map((hasBlock) => ({
    rule: `a rename ${hasBlock ? "with a moved block" : "without one"} sends nothing`,
    story: inOneStack(...TWO, APPLY, { edit: "rename", name: "one", to: "three", hasBlock }, APPLY),
  })),
  ...[30, 60, 90, 120, 150].map((at) => ({
    rule: `a rename that dies at call ${at} is completed`,
    story: inOneStack(
      ...TWO,
      APPLY,
      { edit: "rename", name: "one", to: "three", hasBlock: false },
      run({ crash: { at } }),
    ),
  })),
  ...[15, 25, 35, 45, 55, 65, 75, 85, 95, 105].map((at) => ({
    rule: `a move between stacks that dies at call ${at} is completed`,
    story: inStacks(
      ["a", "b"],
      ...TWO,
      declare("three", thing("rule"), { stack: "b" }),
      APPLY,
      { edit: "restack", name: "one", stack: "b" },
      run({ do: "move", name: "one", from: "a", to: "b", crash: { at } } as never),
      run({ do: "move", name: "one", from: "a", to: "b" } as never),
    ),
  })),
  ...(["file", "service"] as const).flatMap((keeping) =>
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120].map((at) => ({
      rule: `a move of all that another stack declares that dies at call ${at} is completed (states in ${keeping})`,
      story: {
        ...inStacks(
          ["a", "b"],
          ...TWO,
          declare("three", thing("rule"), { stack: "b" }),
          APPLY,
          { edit: "rename", name: "two", to: "second", hasBlock: true },
          { edit: "restack", name: "one", stack: "b" },
          { edit: "restack", name: "second", stack: "b" },
          run({ do: "move declared", from: "a", to: "b", crash: { at } } as never),
        ),
        keeping,
      },
    })),
  ),
  {
    rule: "what has a new address by a moved block, and then moves to another stack, is moved by the command of the error",
    story: inStacks(
      ["a", "b"],
      declare("one", production),
      APPLY,
      { edit: "rename", name: "one", to: "other", hasBlock: true },
      { edit: "restack", name: "other", stack: "b" },
    ),
  },
  ...(["environment", "rule", "entry"] as const).flatMap((kind) => [
    {
      rule: `${kind} that another stack declares is not deleted`,
      story: inStacks(
        ["a", "b"],
        declare("one", thing(kind)),
        APPLY,
        { edit: "restack", name: "one", stack: "b" },
        APPLY,
      ),
    },
    {
      rule: `${kind} that an earlier stack declares is not deleted`,
      story: inStacks(
        ["a", "b"],
        declare("one", thing(kind), { stack: "b" }),
        APPLY,
        { edit: "restack", name: "one", stack: "a" },
        APPLY,
      ),
    },
  ]),
  {
    rule: "single entries become a whole list, and no entry is gone for a moment",
    story: inOneStack(
      declare("one", thing("entry")),
      declare("two", thing("group_entry")),
      APPLY,
      { edit: "whole", at: "web", stack: "a" },
      APPLY,
    ),
  },
  {
    rule: "a whole list becomes single entries, and no entry is gone for a moment",
    story: inOneStack(
      declare("one", { ...thing("list"), content: 15 }),
      APPLY,
      { edit: "single", at: "web", stack: "a" },
      APPLY,
    ),
  },
  {
    rule: "a list of another content is changed entry by entry",
    story: inOneStack(
      declare("one", { ...thing("list"), content: 13 }),
      APPLY,
      { edit: "content", name: "one", content: 6 },
      APPLY,
    ),
  },
  {
    rule: "a list whose pages shift while it is read is read again",
    story: {
      ...inOneStack(
        declare("one", { ...thing("list"), content: 15 }),
        APPLY,
        run({ meanwhile: [{ hand: "delete", thing: thing("entry"), after: 2 }] }),
      ),
      pageLimit: 1,
    },
  },
  {
    rule: "two declarations of one object are refused",
    story: inOneStack(declare("one", staging), declare("two", staging), APPLY),
  },
  ...(["file", "service"] as const).flatMap((keeping) =>
    [0, 20, 60].map((after) => ({
      rule: `two runners at once, ${after} ms apart, exclude each other (states in ${keeping})`,
      story: {
        ...inOneStack(...TWO, { together: [{ do: "apply" as const }, { do: "apply" as const }], after }),
        keeping,
      },
    })),
  ),
  {
    rule: "the lock of a dead runner is taken over",
    story: inOneStack(...TWO, killed, {
      together: [{ do: "apply" }, { do: "apply", patience: 60_000 }],
      after: 0,
    }),
  },
  {
    rule: "a plan tells who gains and who loses access",
    story: inOneStack(
      ...TWO,
      run({ do: "plan", describes: true }),
      APPLY,
      { edit: "content", name: "one", content: 2 },
      run({ do: "plan", describes: true }),
      APPLY,
      { edit: "drop", name: "one" },
      run({ do: "plan", describes: true }),
    ),
  },
  {
    rule: "what two configurations of one service change in a project is described together",
    story: inOneStack(
      declare("limit", thing("scope")),
      declare("one", thing("entry"), { second: true }),
      declare("two", thing("group_entry")),
      run({ do: "plan", describes: true }),
      APPLY,
      { edit: "drop", name: "one" },
      { edit: "content", name: "limit", content: 0 },
      run({ do: "plan", describes: true }),
    ),
  },
  {
    rule: "a saved plan is refused once what it changes is another on the service, and nothing is written",
    story: inOneStack(
      declare("one", production),
      APPLY,
      { edit: "content", name: "one", content: 2 },
      run({ do: "save" }),
      { hand: "change", thing: { ...production, content: 3 } },
      run({ do: "apply saved" }),
    ),
  },
  {
    rule: "a saved plan is applied as it was shown, and refused once the state is another",
    story: inOneStack(
      ...TWO,
      run({ do: "save" }),
      run({ do: "apply saved" }),
      { edit: "drop", name: "one" },
      run({ do: "save" }),
      APPLY,
      run({ do: "apply saved" }),
    ),
  },
  ...(["file", "service"] as const).flatMap((keeping) =>
    // The lock of a state in the service is a write too, and so are its journal and the state.
    (keeping === "file" ? [1, 2, 3] : [3, 4, 5, 6, 7]).map((afterWrite) => ({
      rule: `a run that dies after moving, forgetting and importing objects and making others is recovered (write ${afterWrite}, states in ${keeping})`,
      story: {
        ...inOneStack(
          declare("one", production),
          declare("gone", thing("scope")),
          APPLY,
          { edit: "rename", name: "one", to: "other", hasBlock: true },
          { edit: "release", name: "gone" },
          { hand: "add", thing: { ...production, at: "api" } },
          declare("taken", { ...production, at: "api", content: 2 }, { isImported: true }),
          declare("two", staging),
          declare("three", thing("rule")),
          run({ crash: { afterWrite } }),
        ),
        keeping,
      },
    })),
  ),
  ...(["invitation", "group_invitation", "entry", "group_entry", "list", "scope"] as const).flatMap((kind) =>
    [1, 2].map((nth) => ({
      rule: `what was made of ${kind} is held, though it can't be read afterwards (from reading ${nth} on)`,
      story: inOneStack(
        declare("one", thing(kind)),
        run({ network: [{ on: "GET after write", nth, times: 9, fault: "500" }] }),
      ),
    })),
  ),
  ...[6, 9, 12, 15, 18].map((write) => ({
    rule: `nothing is sent whose intent a power failure could take, where the disk fails at write ${write}`,
    story: {
      ...inOneStack(
        declare("one", staging),
        run({ disk: [{ write, fault: "io" }], crash: { afterWrite: 1, power: true } }),
      ),
      seed: 2,
    },
  })),
  {
    rule: "what was made by hand is imported",
    story: inOneStack(
      declare("one", production),
      { hand: "add", thing: production },
      run({ do: "import", name: "one" } as never),
      APPLY,
    ),
  },
  {
    rule: "an invitation that moves to another stack is refused with the move, and not as already there",
    story: inStacks(
      ["a", "b"],
      declare(
        "ada",
        { ...thing("group_invitation"), at: "platform", key: "ada@example.com" },
        { stack: "b" },
      ),
      APPLY,
      { edit: "restack", name: "ada", stack: "a" },
    ),
  },
  {
    rule: "what another stack holds is not taken over",
    story: inStacks(
      ["a", "b"],
      declare("one", production, { stack: "b" }),
      APPLY,
      declare("two", production),
      TAKE_OVER,
      { edit: "drop", name: "two" },
    ),
  },
];
