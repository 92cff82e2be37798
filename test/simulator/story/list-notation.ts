// Reads and writes two parts of a story's text: the faults of requests, and the use of a list.
import type { NetworkFault } from "../network/network";
import type { ListTask, ListUse } from "./story";

export const unreadable = (text: string): never => {
  throw new Error(`No such words in a story: ${text}`);
};

/** Returns the numbers of the first and the last request, such as `2-4`, or the number of a single request. */
export const range = (first: number, times = 1): string =>
  times === 1 ? `${first}` : `${first}-${first + times - 1}`;
export const timesOf = (first: string, last: string | undefined) =>
  last === undefined ? {} : { times: Number(last) - Number(first) + 1 };

export const FAULT = /^(any|write|GET after write|[A-Z]+) (\d+)(?:-(\d+))?: (.+)$/;

export const readFault = ([, on, nth, last, fault]: readonly string[]): NetworkFault =>
  ({ on, nth: Number(nth), ...timesOf(nth!, last), fault }) as NetworkFault;
export const tellFault = ({ on, nth, times, fault }: NetworkFault): string =>
  `${on} ${range(nth, times)}: ${fault}`;

/**
 * Writes the use of a list as text, with times in milliseconds: `a run uses a list of one: read all at 0, delete one at
 * 50, hand add two at 125, write 1: late`.
 */
export const tellList = ({ there, tasks, hands, faults = [] }: ListUse): string =>
  `a run uses a list${there.length === 0 ? "" : ` of ${there.join(" ")}`}: ${[
    ...tasks.map(({ task, key, after }) => `${task}${key === "" ? "" : ` ${key}`} at ${after}`),
    ...hands.map(({ hand, key, after }) => `hand ${hand} ${key} at ${after}`),
    ...faults.map(tellFault),
  ].join(", ")}`;

const TASK =
  /^(read all|read if short|read one of many|read one|look|create|update|delete|drop)(?: (\w+))? at (\d+)$/;

export function readList(there: readonly string[], uses: readonly string[]): ListUse {
  const matching = <T>(words: RegExp, read: (match: readonly string[]) => T): T[] =>
    uses.flatMap((use) => {
      const match = words.exec(use);
      return match === null ? [] : [read(match)];
    });
  const list = {
    there,
    tasks: matching(TASK, ([, task, key = "", after]) => ({ task, key, after: Number(after) }) as ListTask),
    hands: matching(/^hand (add|delete) (\w+) at (\d+)$/, ([, hand, key, after]) => ({
      hand: hand as "add",
      key: key!,
      after: Number(after),
    })),
    faults: matching(FAULT, readFault),
  };
  const read = list.tasks.length + list.hands.length + list.faults.length;
  return read === uses.length ? list : unreadable(uses.join(", "));
}
