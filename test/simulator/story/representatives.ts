import { groupBy } from "../../../src/schema";
import { HOLDING_STORIES } from "./holding";
import { KINDS } from "./rules";

const KIND = new RegExp(
  `\\b(${[...KINDS].sort((one, other) => other.length - one.length).join("|")})\\b`,
  "g",
);

/**
 * Returns a pattern that is equal for rules which differ only in a kind of object, a number, or the words in brackets.
 */
const patternOf = (rule: string): string =>
  rule
    .replace(/\([^)]*\)/g, "")
    .replace(KIND, "KIND")
    .replace(/\d+/g, "N");

/**
 * Selects the rules of some stories for each pattern.
 * @param count the number of stories for each pattern, including stories in `played`
 * @param played the rules whose stories another suite plays; they are not returned
 */
export function representatives(count: number, played: ReadonlySet<string>): string[] {
  const patterns = groupBy(HOLDING_STORIES, ({ rule }) => patternOf(rule));
  return [...patterns.values()].flatMap((stories, turn) => {
    const rest = stories.map(({ rule }) => rule).filter((rule) => !played.has(rule));
    const missing = Math.min(rest.length, Math.max(0, count - (stories.length - rest.length)));
    // Selects rules evenly from the list of each pattern. Each pattern starts at another position, so that the selected
    // stories cover all kinds and faults.
    return Array.from(
      { length: missing },
      (_, index) => rest[(turn + Math.floor((index * rest.length) / missing)) % rest.length]!,
    );
  });
}
