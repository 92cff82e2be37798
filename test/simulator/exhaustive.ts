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
    declared("two", "environment", "staging"),
    BOTH,
  ),
];

/** What an exhaustive walk found. */
export interface Walk {
  /** How many ways were played: those that differ, out of two to the power of the depth for each crash. */
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
 * dying at each of its first `crashes` calls. A way that has fewer such points is played once.
 */
export async function walkAll(
  stories: readonly Story[],
  depth: number,
  crashes: number,
  service: SimulatedService,
  rules: Rules,
  lead = 0,
): Promise<Walk> {
  const before = Array.from({ length: lead }, (_, at) => at % 2);
  const failures: Walk["failures"][number][] = [];
  let ways = 0;
  for (const story of stories) {
    for (let crash = 0; crash <= crashes; crash += 1) {
      for (let way = 0; way < 2 ** depth; ) {
        const choices = Array.from({ length: depth }, (_, at) => (way >> (depth - 1 - at)) & 1);
        const world = new World(ordered(story, [...before, ...choices], crash), service, rules);
        await world.play();
        ways += 1;
        const [violation] = world.violations;
        if (violation !== undefined) failures.push({ violation, choices, crash });
        const unmade = Math.min(depth, Math.max(0, lead + depth - world.choicesMade));
        way = ((way >> unmade) + 1) << unmade;
      }
    }
  }
  return { ways, failures };
}

function ordered(story: Story, choices: readonly number[], at: number): Story {
  const last = story.steps.at(-1)!;
  if (!("together" in last)) return story;
  const [first, second] = last.together;
  const step = {
    ...last,
    choices,
    together: [at === 0 ? first : { ...first, crash: { at } }, second] as const,
  };
  return { ...story, steps: [...story.steps.slice(0, -1), step] };
}
