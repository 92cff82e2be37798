// Plays stories against the faults that `npm run mutants` has planted. All faults are in one program, and are active
// one after the other.
import type { HoldingStory, Story } from "./story/story";
import { Random } from "./time/random";

/** A planted fault: its number in the program, and the story that found it last time. */
interface PlantedPlay {
  readonly number: number;
  readonly hint?: string;
}

/** The input from `npm run mutants`: the faults, and how many seeds to play for each fault. */
export interface PlantedPlays {
  readonly faults: readonly PlantedPlay[];
  readonly seeds: number;
  /**
   * If true, only the story of a fault's hint is played. A fault gets no verdict if it has no hint, or if the story of
   * the hint does not find it.
   */
  readonly hintsOnly: boolean;
}

/** A story with its name: the rule that it explains, or its seed. */
type Named = readonly [name: string, story: Story];

interface Stories {
  readonly holding: readonly HoldingStory[];
  readonly seeds: number;
  readonly hintsOnly: boolean;
  readonly ofSeed: (seed: number) => Story;
}

/** Plays a story. Returns the rule that the story breaks, if any. */
type Play = (story: Story) => Promise<string | undefined>;

/**
 * Returns true if the fault with this number is active now. The program calls this function in each function that
 * contains a planted fault.
 */
type Planted = (number: number) => boolean;

/**
 * For each fault, plays the stories that reach the fault, until a story breaks a rule. Prints each event as a line. A
 * story counts only if it breaks no rule without the fault, in a play before and in a play after. Otherwise, values
 * that one fault leaves in memory could affect the next fault.
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

/**
 * Mixes the stories, because the table lists stories of one kind next to each other. The order is the same in each run.
 */
function mixed(stories: readonly Named[]): readonly Named[] {
  const random = new Random(1);
  return stories
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
