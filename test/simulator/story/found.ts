// Stories of faults that random seeds found and that are fixed, as small as they shrank.

import { APPLY, declare, diesAfterWrite, inOneStack, inStacks, meets, run, thing } from "./steps";
import type { HoldingStory, Step } from "./story";

const PRODUCTION = thing("environment", { content: 0 });
const STAGING = thing("environment", { key: "staging", content: 0 });
const IN_API = { at: "api", content: 0 } as const;
const RULE = thing("rule", { key: "main", content: 0 });
const TOOLS = thing("entry", { content: 0 });

const found = (
  seed: number,
  rule: string,
  { steps, ...story }: ReturnType<typeof inStacks>,
): HoldingStory => ({
  rule,
  story: { ...story, seed, steps },
});

/** The service says 404 of what is there. */
const DENIED: readonly HoldingStory[] = [
  ...[2, 3].flatMap((times) =>
    (["environment", "rule", "entry", "group_entry", "invitation", "group_invitation"] as const).map((kind) =>
      found(
        100 + times,
        `${times} times 404 is no evidence that an interrupted create of ${kind} did not make it`,
        inOneStack(declare("one", thing(kind)), run(diesAfterWrite(1)), run(meets("GET", 1, "404", times))),
      ),
    ),
  ),
  ...(["environment", "rule", "invitation", "group_invitation", "entry"] as const).map((kind) =>
    found(
      1,
      `${kind} stays in the state when its delete is answered with 404 and it is still there`,
      inOneStack(
        declare("one", thing(kind)),
        APPLY,
        { edit: "drop", name: "one" },
        run(meets("DELETE", 1, "404", 6)),
      ),
    ),
  ),
  found(
    103429,
    "one 404 for what holds an object is no evidence that an interrupted create did not make it",
    inOneStack(declare("one", thing("group_entry")), run(diesAfterWrite(1)), run(meets("GET", 1, "404"))),
  ),
  found(
    104053,
    "a project is not gone to an administrator because one read of it is answered with 404",
    inOneStack(
      declare("o1", STAGING),
      declare("o2", PRODUCTION, { second: true }),
      run(diesAfterWrite(1)),
      run(meets("GET", 3, "404", 5)),
    ),
  ),
  found(
    7150,
    "one 404 is not believed while the list that is read next shows the object",
    inOneStack(
      declare("o2", { ...RULE, ...IN_API }),
      declare("o3", STAGING),
      declare("o4", { ...PRODUCTION, ...IN_API }),
      run({ do: "save" }),
      run({ do: "apply saved", ...diesAfterWrite(2) }),
      run({
        describes: true,
        network: [
          { on: "any", nth: 1, times: 2, fault: "silence" },
          { on: "GET", nth: 7, fault: "404" },
        ],
      }),
    ),
  ),
];

/** What a run could not find out of declarations. */
const REFUSED = run(meets("GET", 2, "403"));

/** A declaration by path whose project can't be looked up, beside one by number. */
const BY_NUMBER_AND_PATH: readonly HoldingStory[] = [
  ["a whole list", [declare("o2", thing("list", { content: 0 }))]],
  ["a whole list of another configuration", [declare("o2", thing("list", { content: 0 }), { second: true })]],
  ["single entries", [declare("o2", { ...TOOLS, key: "runner" }), declare("o3", TOOLS)]],
].map(([what, others]) =>
  found(
    150481,
    `an entry by number is not written while ${what} by path can't be looked up`,
    inOneStack(declare("o1", TOOLS, { spelling: "id" }), ...(others as Step[]), REFUSED),
  ),
);

/** The state and the code spell the project of something that is gone otherwise. */
const VANISHED = { ...STAGING, ...IN_API };
const SPELLED_OTHERWISE: readonly HoldingStory[] = [
  found(
    106811,
    "a repair makes again what was taken over and deleted, and is declared by number",
    inOneStack(
      declare("o1", VANISHED, { spelling: "id" }),
      { hand: "add", thing: VANISHED },
      run({ importExisting: true }),
      { hand: "delete", thing: VANISHED },
      run({ do: "repair" }),
    ),
  ),
  found(
    106811,
    "a repair makes again what was deleted and is declared by number since",
    inOneStack(
      declare("o1", VANISHED),
      APPLY,
      { edit: "respell", name: "o1", spelling: "id" },
      { hand: "delete", thing: VANISHED },
      run({ do: "repair" }),
    ),
  ),
];

export const FOUND: readonly HoldingStory[] = [
  ...DENIED,
  ...BY_NUMBER_AND_PATH,
  ...SPELLED_OTHERWISE,
  found(
    5762,
    "single entries that take over a whole list are not removed by its delete, which runs beside them",
    inOneStack(
      declare("o1", thing("list", { content: 7 })),
      run({ do: "import", name: "o1" }),
      { edit: "rename", name: "o1", to: "o1_r2", hasBlock: true },
      { edit: "single", at: "web", stack: "a" },
    ),
  ),
  found(
    104351,
    "a whole list whose create failed in part keeps what it has, although Terraform replaces it",
    {
      ...inOneStack(
        declare("o3", thing("list", { at: "api", content: 15 })),
        run(meets("write", 4, "403", 2)),
      ),
      host: "terraform",
    },
  ),
  found(102911, "a setting whose create failed and that prevent_destroy holds is not replaced by Terraform", {
    ...inOneStack(
      declare("o2", thing("pages", { content: 0 }), { preventDestroy: true }),
      run({
        network: [
          { on: "write", nth: 1, fault: "request lost" },
          { on: "write", nth: 2, fault: "403" },
        ],
      }),
    ),
    host: "terraform",
  }),
  found(
    152042,
    "what two runs that died left of a lock's guards is removed by the next run",
    inStacks(
      ["a", "b"],
      run({ describes: true, crash: { at: 99 } }),
      run({ do: "destroy", describes: true, crash: { at: 183 } }),
    ),
  ),
  found(
    153453,
    "the access that a plan tells is not that of a stack that could not be planned",
    inStacks(
      ["a", "b"],
      declare("o1", { ...STAGING, ...IN_API }, { stack: "b" }),
      declare("o3", thing("invitation", IN_API)),
      { hand: "add", thing: { ...STAGING, ...IN_API } },
      run({ do: "plan", describes: true }),
    ),
  ),
  found(
    106135,
    "what a run that died had made, and people changed, is imported by the id that the error says",
    inOneStack(declare("o1", RULE), declare("o3", { ...PRODUCTION, ...IN_API }), run(diesAfterWrite(2)), {
      hand: "change",
      thing: { ...RULE, content: 1 },
    }),
  ),
  found(
    106551,
    "what another stack holds moves by the command of the error where its address holds another object",
    inStacks(
      ["a", "b", "c"],
      declare("o3", { ...STAGING, ...IN_API }, { stack: "c" }),
      declare("o4", { ...PRODUCTION, ...IN_API }),
      APPLY,
      { edit: "drop", name: "o3" },
      { edit: "retarget", name: "o4", key: 1 },
    ),
  ),
  found(
    164261,
    "an entry that nobody declares any more goes also while its list is declared twice",
    inStacks(
      ["a", "b"],
      declare("o1", thing("group_entry", { key: "approvers" })),
      declare("o3", thing("group_entry"), { stack: "b" }),
      APPLY,
      declare("o4", thing("list", { content: 0 })),
      { edit: "drop", name: "o3" },
    ),
  ),
  found(164623, "a whole list becomes a single entry under Terraform, by the block that the error names", {
    ...inOneStack(
      declare("o1", thing("list", { content: 1 })),
      APPLY,
      declare("o2", TOOLS),
      { edit: "rename", name: "o1", to: "o1_r3", hasBlock: true },
      { edit: "drop", name: "o1_r3" },
    ),
    host: "terraform",
  }),
  found(114896, "nothing is taken over while the state of another stack, which may hold it, can't be read", {
    ...inStacks(
      ["a", "b"],
      declare("o1", { ...PRODUCTION, ...IN_API }),
      APPLY,
      { edit: "restack", name: "o1", stack: "b" },
      run({ do: "plan", importExisting: true, describes: true, ...meets("GET", 2, "late", 3) }),
    ),
    keeping: "service",
  }),
  found(
    162495,
    "a whole list whose create failed in part, and can't be read then, stays in Terraform's state",
    {
      ...inOneStack(
        declare("o2", RULE),
        declare("o3", thing("list", { at: "api", content: 5 }), { spelling: "id" }),
        run({
          network: [
            { on: "GET after write", nth: 1, times: 10_000, fault: "503" },
            { on: "write", nth: 3, fault: "500" },
          ],
        }),
      ),
      host: "terraform",
    },
  ),
  found(
    160117,
    "a run whose journal can't be written any more, and that dies once it saved its state, is recovered",
    {
      ...inOneStack(
        declare("o1", thing("scope", { content: 0 }), { second: true }),
        declare("o2", TOOLS),
        run({ ...meets("POST", 3, "403", 6), ...diesAfterWrite(4) }),
      ),
      keeping: "service",
    },
  ),
  found(
    106551,
    "two stacks exchange what they declare, by the commands of the errors",
    inStacks(
      ["a", "b"],
      declare("o3", { ...STAGING, ...IN_API }),
      declare("o5", { ...PRODUCTION, ...IN_API }, { stack: "b" }),
      APPLY,
      { edit: "retarget", name: "o3", key: 0 },
      { edit: "retarget", name: "o5", key: 1 },
    ),
  ),
  found(
    106551,
    "all that another stack declares moves to it by one command, also to addresses that hold other objects",
    inStacks(
      ["a", "b"],
      declare("o3", { ...STAGING, ...IN_API }),
      declare("o4", PRODUCTION),
      declare("o5", { ...PRODUCTION, ...IN_API }, { stack: "b" }),
      declare("o6", STAGING, { stack: "b" }),
      APPLY,
      { edit: "drop", name: "o3" },
      { edit: "drop", name: "o4" },
      { edit: "retarget", name: "o5", key: 1 },
      { edit: "retarget", name: "o6", key: 0 },
      run({ do: "move declared", from: "a", to: "b" }),
    ),
  ),
  found(
    106663,
    "a move between stacks that was begun ends at its addresses, whatever the code calls its objects since",
    inStacks(
      ["a", "b"],
      declare("o1", RULE),
      APPLY,
      { edit: "restack", name: "o1", stack: "b" },
      run({ do: "move declared", from: "a", to: "b", crash: { at: 231 } }),
      { edit: "rename", name: "o1", to: "o1_r2", hasBlock: true },
    ),
  ),
];
