import type { SimulatedService } from "./network/service";
import { readStory } from "./story/notation";
import type { Story } from "./story/story";
import type { Violation } from "./world/records";
import { type Rules, World } from "./world/world";

/**
 * Stories in which two runners apply one app at once: for the first time, and after the death of a runner that held the
 * lock.
 */
export const TWO_RUNNERS: readonly Story[] = [
  "declare one environment; declare two entry",
  "declare one environment; apply: dies after write 1; declare two environment staging",
].map((before) => readStory(`${before}; both apply and 0 ms later apply: --lock-timeout 60000ms`));

/** The result of an exhaustive walk. */
export interface Walk {
  /** The number of orders that were played. For each crash, there are at most `2 ** depth` orders. */
  readonly ways: number;
  readonly failures: readonly {
    readonly violation: Violation;
    readonly choices: readonly number[];
    readonly crash: number;
  }[];
}

/**
 * Plays every order in which the two runs of a story's last step can continue. At each of the first `depth` points
 * where both runs can continue, each run continues in one of the orders. After these points, the run that continued
 * last continues. Each order is played without a crash, and with a death of the first runner at each of its first
 * `crashes` calls. If a story has fewer points than `depth`, orders that do not differ are played once.
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
