// Stories about parts of one run that use one list at the same time. Whole runs seldom use a list in an order that
// shows a fault.
import type { NetworkFault } from "../network/network";
import { Random } from "../time/random";
import type { Rules } from "./rules";
import type { ListTask, ListUse, Story } from "./story";

const KEYS = ["one", "two", "three", "four", "five", "six"];

/** Returns the story about a list that belongs to a seed. */
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
      "response lost": 5,
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
  const list: ListUse = { there, tasks, hands, faults };
  return {
    seed,
    keeping: "file",
    stacks: ["a"],
    ...(pageLimit !== undefined && { pageLimit }),
    steps: [{ list }],
  };
}

const PAGED = "a run uses a list of five one six";

/**
 * Rules for the use of a list. Tasks are so far apart that each ends before the next begins, except in stories with a
 * seed.
 */
export const LISTS: Rules = {
  "a reader of the current list does not get earlier reads":
    "a run uses a list of one: read all at 0, look at 2000, hand add two at 1000",
  "an object that the run deleted is not shown again":
    "a run uses a list of one two: read all at 0, delete one at 1000, read all at 2000",
  "a single record is read again after the cache was dropped":
    "a run uses a list of one two: read one one at 0, drop at 2000, read one one at 3000, hand delete one at 1000",
  "a list that a person changes during a read is read again":
    "seed 216; pages of 1; a run uses a list of one two: look at 122, hand delete one at 174",
  "operations on one object are done one after the other":
    "a run uses a list: create one at 0, update one at 20",
  // Lists are ordered by name. After "five" is deleted and "two" is added, "one" is on a page that the run has already
  // read.
  "writes wait until the read of their list ends: the remaining objects are on its pages": `seed 371; pages of 1; ${PAGED}: read all at 0, delete five at 50, create two at 50`,
  "a list is read after the responses to its writes: the remaining objects are on its pages": `seed 299; pages of 1; ${PAGED}: read all at 20, delete five at 0, create two at 0`,
  "a read that waited for writes shows earlier changes of others to these objects":
    "seed 5267; a run uses a list of one: delete one at 16, delete three at 64, read all at 105, read all at 281, " +
    "hand add one at 125",
};
