// Who owns what, as stories: sets that change hands, and objects that several declarations name.
import type { Declaration } from "../world/app";
import { APPLY, declare as declareIn, inStacks as story, thing } from "./steps";
import type { HoldingStory, Run, Step } from "./story";

const declare = (
  stack: string,
  {
    kind,
    name,
    at,
    key = "",
    content = 0,
    ...more
  }: Partial<Declaration> & Pick<Declaration, "kind" | "name">,
): Step => declareIn(name, thing(kind, { ...(at && { at }), key, content }), { stack, ...more });

/** What disturbs the apply in which a set changes hands. */
const DISTURBANCES: readonly (readonly [string, Partial<Run>])[] = [
  ["nothing goes wrong", {}],
  ...[1, 2, 3, 4].map((nth): readonly [string, Partial<Run>] => [
    `GET ${nth} is refused`,
    { network: [{ on: "GET", nth, fault: "403" }] },
  ]),
  ["a write is refused", { network: [{ on: "write", nth: 1, fault: "403" }] }],
  ["the answer of a write is lost", { network: [{ on: "write", nth: 1, fault: "answer lost" }] }],
  ["it dies after a write", { crash: { afterWrite: 1 } }],
  ["it dies on the way", { crash: { at: 60 } }],
];

/** A set changes hands by two commands, one for each stack. */
const byTwoCommands: readonly HoldingStory[] = [
  ["a", "b"],
  ["b", "a"],
].flatMap(([from, to]) =>
  [
    [from, to],
    [to, from],
  ].flatMap(([first, second]): HoldingStory[] => {
    const commands: Step[] = [first, second].map((one) => ({ run: { do: "apply", stacks: [one!] } }));
    const order = `applied ${first} before ${second}`;
    return [
      {
        rule: `single entries of ${from} become a whole list of ${to}, ${order}`,
        story: story(
          ["a", "b"],
          declare(from!, { kind: "entry", name: "one", key: "tools" }),
          declare(from!, { kind: "group_entry", name: "two", key: "platform" }),
          declare(from!, { kind: "entry", name: "three", key: "runner" }),
          APPLY,
          // The list lacks one of them.
          { edit: "drop", name: "three" },
          { edit: "whole", at: "web", stack: to! },
          ...commands,
        ),
      },
      {
        rule: `a whole list of ${from} becomes some single entries of ${to}, ${order}`,
        story: story(
          ["a", "b"],
          declare(from!, { kind: "list", name: "all", content: 7 }),
          APPLY,
          { edit: "single", at: "web", stack: to! },
          { edit: "drop", name: `one_web_runner_${to}` },
          ...commands,
        ),
      },
    ];
  }),
);

/** The stacks that give and take. */
const WAYS = [
  ["a", "a"],
  ["a", "b"],
  ["b", "a"],
] as const;

const changesHands: readonly HoldingStory[] = WAYS.flatMap(([from, to]) =>
  (from === to ? [false, true] : [false]).flatMap((second) =>
    DISTURBANCES.flatMap(([what, more]): HoldingStory[] => {
      const stacks = from === to ? ["a"] : ["a", "b"];
      const through = second ? " through another configuration" : "";
      const disturbed: Step = { run: { do: "apply", ...more } as Run };
      return [
        {
          rule: `single entries of ${from} become a whole list of ${to}${through}: ${what}`,
          story: story(
            stacks,
            declare(from, { kind: "entry", name: "one", key: "tools" }),
            declare(from, { kind: "group_entry", name: "two", key: "platform" }),
            APPLY,
            { edit: "whole", at: "web", stack: to, second },
            disturbed,
          ),
        },
        {
          rule: `a whole list of ${from} becomes single entries of ${to}${through}: ${what}`,
          story: story(
            stacks,
            declare(from, { kind: "list", name: "all", content: 5 }),
            APPLY,
            { edit: "single", at: "web", stack: to, second },
            disturbed,
          ),
        },
      ];
    }),
  ),
);

/** A whole list of one stack, by number, becomes some single entries of another, by path. */
const RELEASED_BY_NUMBER: readonly Step[] = [
  declare("a", { kind: "list", name: "all", content: 7, spelling: "id" }),
  APPLY,
  { edit: "single", at: "web", stack: "b" },
  { edit: "drop", name: "one_web_runner_b" },
];

/** The state that releases keeps a set until another state holds what is declared there. */
const keptUntilHeld: readonly HoldingStory[] = [
  ...[175, 190, 205, 220].map(
    (at): HoldingStory => ({
      rule: `a list stays in its state while a run that began to take its entries over died at call ${at}`,
      story: story(
        ["a", "b"],
        ...RELEASED_BY_NUMBER,
        { run: { do: "apply", stacks: ["a"] } },
        { run: { do: "apply", stacks: ["b"], crash: { at } } },
      ),
    }),
  ),
  ...(["403", "404"] as const).map(
    (fault): HoldingStory => ({
      rule: `a list stays in its state while a project that another stack declares entries of can't be looked up (${fault})`,
      story: story(["a", "b"], ...RELEASED_BY_NUMBER, {
        run: { do: "apply", network: [{ on: "GET", nth: 4, fault }] },
      }),
    }),
  ),
  {
    rule: "an entry stays in its state when the apply alone finds that another stack declares it",
    story: story(
      ["a", "b"],
      declare("a", { kind: "entry", name: "main", key: "runner", spelling: "id" }),
      APPLY,
      { edit: "respell", name: "main", spelling: "path" },
      { edit: "restack", name: "main", stack: "b" },
      { run: { do: "apply", network: [{ on: "GET", nth: 3, fault: "404" }] } },
    ),
  },
];

export const OWNERSHIP: readonly HoldingStory[] = [
  ...changesHands,
  ...byTwoCommands,
  ...keptUntilHeld,
  {
    rule: "a declaration that could not be planned owns what it declares all the same",
    story: story(
      ["a"],
      declare("a", { kind: "list", name: "one" }),
      APPLY,
      declare("a", { kind: "list", name: "two", content: 12 }),
      { run: { do: "apply", network: [{ on: "GET", nth: 1, times: 8, fault: "403" }] } },
      { run: { do: "apply", network: [{ on: "GET", nth: 3, times: 5, fault: "request lost" }] } },
    ),
  },
  {
    rule: "a declaration whose target is not known yet owns its part of a set all the same",
    story: story(
      ["a"],
      declare("a", { kind: "entry", name: "one", key: "runner" }),
      declare("a", { kind: "list", name: "all", content: 9 }),
      { run: { do: "apply", network: [{ on: "GET after write", nth: 1, fault: "403" }] } },
      { run: { do: "apply", network: [{ on: "GET", nth: 3, fault: "403" }] } },
    ),
  },
  {
    rule: "two configurations of one service never own the same object",
    story: story(
      ["a"],
      declare("a", { kind: "list", name: "all", content: 1 }),
      declare("a", { kind: "entry", name: "one", key: "runner", second: true }),
      APPLY,
    ),
  },
  {
    rule: "of two stacks that declare one object for the first time, by number and by path, neither is written",
    story: story(
      ["a", "b"],
      declare("a", { kind: "environment", name: "one", key: "production", spelling: "id" }),
      declare("b", { kind: "environment", name: "two", key: "production" }),
      APPLY,
    ),
  },
  {
    rule: "of two stacks that declare a list and an entry of it for the first time, neither is written",
    story: story(
      ["a", "b"],
      declare("b", { kind: "list", name: "all", at: "api", content: 8 }),
      declare("a", { kind: "entry", name: "one", at: "api", key: "tools" }),
      APPLY,
    ),
  },
  {
    rule: "what one stack declared by number is not destroyed when another stack declares it by path",
    story: story(
      ["a", "b"],
      declare("a", { kind: "environment", name: "main", key: "production", spelling: "id" }),
      APPLY,
      { edit: "respell", name: "main", spelling: "path" },
      { edit: "restack", name: "main", stack: "b" },
      APPLY,
    ),
  },
  {
    rule: "what an interrupted run of one stack made is known to the stack that declares it now",
    story: story(
      ["a", "b"],
      declare("b", { kind: "environment", name: "main", key: "production" }),
      { run: { do: "apply", crash: { afterWrite: 1 } } },
      { edit: "restack", name: "main", stack: "a" },
      APPLY,
    ),
  },
  {
    rule: "a stack applied alone does not write what another one declares by path",
    story: story(
      ["a", "b"],
      declare("a", { kind: "environment", name: "one", at: "api", key: "staging" }),
      declare("b", { kind: "environment", name: "two", at: "api", key: "staging", spelling: "id" }),
      { run: { do: "apply", stacks: ["b"] } },
    ),
  },
  {
    rule: "what an address with prevent_destroy holds is not destroyed when it takes over another object",
    story: story(
      ["a"],
      declare("a", { kind: "environment", name: "main", key: "production", preventDestroy: true }),
      declare("a", { kind: "environment", name: "second", key: "staging" }),
      APPLY,
      { edit: "retarget", name: "main", key: 1 },
      { edit: "drop", name: "second" },
      APPLY,
    ),
  },
];
