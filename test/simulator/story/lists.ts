// Stories about the parts of one run, which use one list side by side: whole runs seldom do it in the order that matters.
import type { NetworkFault } from "../network/network";
import { Random } from "../time/random";
import type { HoldingStory, ListTask, ListUse, Story } from "./story";

const KEYS = ["one", "two", "three", "four", "five", "six"];

const listStory = (seed: number, pageLimit: number | undefined, list: ListUse): Story => ({
  seed,
  keeping: "file",
  stacks: ["a"],
  ...(pageLimit !== undefined && { pageLimit }),
  steps: [{ list }],
});

/** A random story of this kind. */
export function listStoryOf(seed: number): Story {
  const random = new Random(seed ^ 0x115f);
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random.below(most + 1) }, make);
  const moment = (): number => random.below(random.chance(0.3) ? 2000 : 300);
  const keys = KEYS.slice(0, random.pick([2, 4, 6]));
  const there = keys.filter(() => random.chance(0.6));
  const tasks = Array.from({ length: 4 + random.below(9) }, (): ListTask => {
    const task = random.weighted<ListTask["task"]>({
      "read all": 5,
      "read if short": 1,
      "read one": 4,
      "read one of many": 2,
      look: 1,
      create: 4,
      update: 2,
      delete: 4,
      drop: 2,
    });
    return { task, key: random.pick(keys), after: moment() };
  });
  const hands = some(2, () => ({
    hand: random.pick(["add", "delete"] as const),
    key: random.pick(keys),
    after: moment(),
  }));
  const faults = some(2, (): NetworkFault => {
    const fault = random.weighted<NetworkFault["fault"]>({
      "answer lost": 5,
      "request lost": 2,
      "502 after": 2,
      late: 1,
      silence: 1,
      cut: 1,
      "429": 1,
      "500": 1,
    });
    return { on: random.pick(["write", "write", "any"] as const), nth: 1 + random.below(5), fault };
  });
  const pageLimit = random.chance(0.6) ? 1 + random.below(2) : undefined;
  return listStory(seed, pageLimit, { there, tasks, hands, faults });
}

type Brief = readonly [task: ListTask["task"], key: string, after: number];
type Hands = ListUse["hands"];

/** A story that explains a rule: its tasks are far enough apart to be done one after the other, unless a seed says otherwise. */
const explained = (
  rule: string,
  there: readonly string[],
  tasks: readonly Brief[],
  more: {
    readonly hands?: Hands;
    readonly faults?: NetworkFault[];
    readonly pages?: number;
    readonly seed?: number;
  } = {},
): HoldingStory => {
  const { hands = [], faults = [], pages, seed = 1 } = more;
  const given = tasks.map(([task, key, after]): ListTask => ({ task, key, after }));
  return { rule, story: listStory(seed, pages, { there, tasks: given, hands, faults }) };
};

const byHand = (hand: "add" | "delete", key: string, after: number): Hands => [{ hand, key, after }];

export const LISTS: readonly HoldingStory[] = [
  explained(
    "who looks at a list as of now is not shown what was read before",
    ["one"],
    [
      ["read all", "", 0],
      ["look", "", 2000],
    ],
    { hands: byHand("add", "two", 1000) },
  ),
  explained(
    "what the run deleted is not shown again",
    ["one", "two"],
    [
      ["read all", "", 0],
      ["delete", "one", 1000],
      ["read all", "", 2000],
    ],
  ),
  explained(
    "what was read alone is read again once the cache was dropped",
    ["one", "two"],
    [
      ["read one", "one", 0],
      ["drop", "", 2000],
      ["read one", "one", 3000],
    ],
    { hands: byHand("delete", "one", 1000) },
  ),
  explained(
    "a list that somebody changes while it is read is read again",
    ["one", "two"],
    [["look", "", 122]],
    { hands: byHand("delete", "one", 174), pages: 1, seed: 216 },
  ),
  explained(
    "operations on one object are done one after the other",
    [],
    [
      ["create", "one", 0],
      ["update", "one", 20],
    ],
  ),
  // Lists are ordered by name: with "five" gone and "two" added, "one" is on a page that was read before.
  explained(
    "writes wait until their list is read: what stays in it is on a page that is read",
    ["five", "one", "six"],
    [
      ["read all", "", 0],
      ["delete", "five", 50],
      ["create", "two", 50],
    ],
    { pages: 1, seed: 371 },
  ),
  explained(
    "a list is read once its writes are answered: what stays in it is on a page that is read",
    ["five", "one", "six"],
    [
      ["read all", "", 20],
      ["delete", "five", 0],
      ["create", "two", 0],
    ],
    { pages: 1, seed: 299 },
  ),
  explained(
    "a read that waited for writes shows what others made of these objects before it was sent",
    ["one"],
    [
      ["delete", "one", 16],
      ["delete", "three", 64],
      ["read all", "", 105],
      ["read all", "", 281],
    ],
    { hands: byHand("add", "one", 125), seed: 5267 },
  ),
];
