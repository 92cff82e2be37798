// What is saved where, told by stories of runs that die and of disks that fail.
import type { Keeping } from "../world/app";
import { APPLY, declare, inOneStack, inStacks, run, thing } from "./steps";
import type { HoldingStory, Run, Step, Story } from "./story";

const PRODUCTION = thing("environment");
const STAGING = { ...PRODUCTION, key: "staging" };

const TWO: readonly Step[] = [declare("one", PRODUCTION), declare("two", STAGING)];
const kept = (keeping: Keeping, given: Story): Story => ({ ...given, keeping });

export const DEATHS: readonly HoldingStory[] = [
  ...(["file", "service"] as const).map((keeping) => ({
    rule: `what a run that died had recorded as done is its own, whoever changes it meanwhile (states in ${keeping})`,
    story: kept(
      keeping,
      inOneStack(
        declare("first", { ...PRODUCTION, at: "api" }),
        APPLY,
        declare("one", PRODUCTION),
        declare("two", { kind: "list", at: "web", key: "", content: 15 }),
        run({ crash: { afterWrite: keeping === "file" ? 5 : 9 } }),
        { hand: "change", thing: { ...PRODUCTION, content: 3 } },
        APPLY,
      ),
    ),
  })),
  ...[10, 13, 15].map((write) => ({
    rule: `a disk that is full for two writes from write ${write} on, when the state is saved, fails the run`,
    story: inOneStack(
      declare("one", PRODUCTION),
      APPLY,
      declare("two", STAGING),
      run({ disk: [{ write, times: 2, fault: "full" }] }),
    ),
  })),
  {
    rule: "a move of all that a stack declares takes what has another address there, and leaves what its addresses hold",
    story: inStacks(
      ["a", "b"],
      declare("one", PRODUCTION),
      declare("other", { ...PRODUCTION, at: "api" }),
      declare("taken", STAGING, { stack: "b" }),
      APPLY,
      { edit: "rename", name: "one", to: "renamed", hasBlock: false },
      { edit: "restack", name: "renamed", stack: "b" },
      { edit: "drop", name: "other" },
      { edit: "drop", name: "taken" },
      declare("taken", { ...PRODUCTION, at: "api" }, { stack: "b" }),
      run({ do: "move declared", from: "a", to: "b" } as Partial<Run>),
      { edit: "drop", name: "taken" },
    ),
  },
  ...[1, 23].map((at) => ({
    rule: `what a power failure at call ${at} leaves of attempts to lock is removed by the next run`,
    story: inOneStack(...TWO.slice(0, 1), run(), run({ crash: { at, power: true } }), run()),
  })),
  {
    rule: "a run did not keep what a power failure brings back once it ended",
    story: inOneStack(run(), run(), {
      together: [{ do: "apply" }, { do: "apply", crash: { at: 5, power: true } }],
      after: 87,
    }),
  },
  ...[0, 10, 20, 30, 40].map((after) => ({
    rule: `of two runners that find the lock of a dead one, ${after} ms apart, one takes it over`,
    story: inOneStack(...TWO, run({ crash: { afterWrite: 1 } }), {
      together: [
        { do: "apply", patience: 60_000 },
        { do: "apply", patience: 60_000 },
      ],
      after,
    }),
  })),
];
