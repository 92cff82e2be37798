// Plays stories with faults that `npm run mutants` has planted, one after the other in one process.
import type { HoldingStory, Story } from "./story/story";
import { Random } from "./time/random";

/** A fault to play: its number in the program, and the story that found it the last time. */
interface PlantedPlay {
  readonly number: number;
  readonly hint?: string;
}

/** The input of `npm run mutants`: the faults, and the number of seeds for each. */
export interface PlantedPlays {
  readonly faults: readonly PlantedPlay[];
  readonly seeds: number;
  /** Plays only the story of the hint: a fault without one, or whose hint finds nothing, gets no verdict. */
  readonly hintsOnly: boolean;
}

/** A story and what it is called: the rule that it explains, or its seed. */
type Named = readonly [name: string, story: Story];

interface Stories {
  readonly holding: readonly HoldingStory[];
  readonly seeds: number;
  readonly hintsOnly: boolean;
  readonly ofSeed: (seed: number) => Story;
}

/** The rule that a story breaks, if any. */
type Play = (story: Story) => Promise<string | undefined>;

/** Whether the fault that is played now is this one; the bundle asks at each function with a fault. */
type Planted = (number: number) => boolean;

/**
 * Plays the stories that reach each fault until one breaks, and prints the events line by line. A story counts if it
 * holds without the fault, also afterwards: the memory of one fault must not affect the next.
 */
export async function playPlanted(
  faults: readonly PlantedPlay[],
  { holding, seeds, hintsOnly, ofSeed }: Stories,
  play: Play,
  tell: (line: object) => void,
): Promise<void> {
  let active: number | undefined;
  let reached = new Set<number>();
  const planted: Planted = (number) => {
    reached.add(number);
    return number === active;
  };
  Object.assign(globalThis, { planted });
  const reachedBy = new Map<string, ReadonlySet<number>>();

  const holds = async ([name, story]: Named): Promise<ReadonlySet<number>> => {
    const known = reachedBy.get(name);
    if (known !== undefined) return known;
    tell({ without: name });
    reached = new Set();
    const broken = await play(story);
    reachedBy.set(name, broken === undefined ? reached : new Set());
    return reachedBy.get(name)!;
  };

  const isFoundBy = async (number: number, one: Named): Promise<string | undefined> => {
    if (!(await holds(one)).has(number)) return undefined;
    tell({ playing: number, story: one[0] });
    active = number;
    const broken = await play(one[1]);
    active = undefined;
    return broken && `${broken} (${one[0]})`;
  };

  const stories = mixed(holding.map(({ rule, story }): Named => [`"${rule}"`, story]));
  function* inOrder(hint: string | undefined): Generator<Named> {
    const seed = /^seed (\d+)$/.exec(hint ?? "")?.[1];
    if (seed !== undefined) yield [`seed ${seed}`, ofSeed(Number(seed))];
    const hinted = stories.find(([name]) => name === `"${hint}"`);
    if (hinted !== undefined) yield hinted;
    if (hintsOnly) return;
    yield* stories;
    for (let next = 1; next <= seeds; next += 1) yield [`seed ${next}`, ofSeed(next)];
  }

  for (const { number, hint } of faults) {
    let by: string | undefined;
    let isReached = false;
    for (const one of inOrder(hint)) {
      by = await isFoundBy(number, one);
      isReached ||= reachedBy.get(one[0])!.has(number);
      if (by === undefined) continue;
      if ((await play(one[1])) === undefined) break;
      tell({ spoilt: number });
      return;
    }
    tell({ played: number, by, isReached });
  }
}

/** Another order than in their table, which has stories of one kind next to each other; equal each time. */
function mixed(stories: readonly Named[]): readonly Named[] {
  const random = new Random(1);
  return stories
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
