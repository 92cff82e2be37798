// Stories in which the order of two runners matters: at each point where both can go on, the story says who does.
import { declare, diesAfterWrite, inOneStack, run, thing } from "./steps";
import type { HoldingStory } from "./story";

/** Who goes on, and how often. */
type Turns = readonly (readonly [runner: "first" | "second", times: number])[];

const choicesOf = (turns: Turns): number[] =>
  turns.flatMap(([runner, times]) => Array<number>(times).fill(runner === "first" ? 0 : 1));

/** Two runners find the lock of a dead one: the first one takes it over while the second one is about to. */
const takenOver = (rule: string, before: number, first: number, second: number): HoldingStory => ({
  rule: `${rule} (${before}, ${first} and ${second} steps)`,
  story: inOneStack(
    declare("one", thing("environment")),
    run(diesAfterWrite(1)),
    declare("two", thing("environment", { key: "staging" })),
    {
      together: [{ do: "apply" }, { do: "apply", patience: 60_000 }],
      after: 0,
      choices: choicesOf([
        ["second", before],
        ["first", first],
        ["second", second],
        ["first", 1],
      ]),
    },
  ),
});

const around = (steps: number): readonly number[] => [steps - 1, steps, steps + 1];

export const ORDERS: readonly HoldingStory[] = [
  ...around(12).flatMap((before) =>
    around(31).map((first) =>
      takenOver("who takes over a dead runner's lock looks again who holds it", before, first, 20),
    ),
  ),
  ...around(27).flatMap((before) =>
    around(36).map((first) => takenOver("who takes over a dead runner's lock guards it", before, first, 10)),
  ),
];
