import type { SimulatedService } from "./network/service";
import type { Step, Story } from "./story/story";
import type { Violation } from "./world/records";
import { type Rules, World } from "./world/world";

const declared = (name: string, kind: "environment" | "entry", key: string): Step => ({
  edit: "declare",
  stack: "a",
  declaration: { kind, at: "web", key, content: 1, name, spelling: "path" },
});

const BOTH: Step = { together: [{ do: "apply" }, { do: "apply", patience: 60_000 }], after: 0 };

const story = (...steps: readonly Step[]): Story => ({ seed: 1, keeping: "file", stacks: ["a"], steps });

/** Two runners that apply one app at once: for the first time, and after a runner died that held the lock. */
export const TWO_RUNNERS: readonly Story[] = [
  story(declared("one", "environment", "production"), declared("two", "entry", "tools"), BOTH),
  story(
    declared("one", "environment", "production"),
    { run: { do: "apply", crash: { afterWrite: 1 } } },
    BOTH,
  ),
];

/** What an exhaustive walk found. */
export interface Walk {
  /** How many ways there were. */
  readonly ways: number;
  readonly failures: readonly {
    readonly violation: Violation;
    readonly choices: readonly number[];
    readonly crash: number;
  }[];
}

/**
 * Walks every interleaving of the two runs of a story's last step: at each of the first `depth` points where both can go
 * on, each goes on once; after them, the one that was chosen last. Each is walked without a crash, and with the first runner
 * dying at each of its first `crashes` calls.
 */
export async function walkAll(
  stories: readonly Story[],
  depth: number,
  crashes: number,
  service: SimulatedService,
  rules: Rules,
): Promise<Walk> {
  const failures: Walk["failures"][number][] = [];
  let ways = 0;
  for (const { story, crash } of stories.flatMap((story) =>
    upTo(crashes).map((crash) => ({ story, crash })),
  )) {
    for (const choices of choicesOf(depth)) {
      ways += 1;
      const world = new World(withCrash(story, crash), service, rules);
      let made = 0;
      const choose = (): number => choices[Math.min(made++, depth - 1)]!;
      world.onStep = (index) => {
        world.simulation.chooser = index === story.steps.length - 1 ? choose : undefined;
      };
      await world.play();
      const [violation] = world.violations;
      if (violation !== undefined) failures.push({ violation, choices, crash });
    }
  }
  return { ways, failures };
}

const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, index) => index);

function* choicesOf(depth: number): Generator<readonly number[]> {
  for (let bits = 0; bits < 1 << depth; bits += 1)
    yield Array.from({ length: depth }, (_, index) => (bits >> index) & 1);
}

function withCrash(story: Story, at: number): Story {
  const last = story.steps.at(-1)!;
  if (at === 0 || !("together" in last)) return story;
  const [first, second] = last.together;
  const step = { ...last, together: [{ ...first, crash: { at } }, second] as const };
  return { ...story, steps: [...story.steps.slice(0, -1), step] };
}
