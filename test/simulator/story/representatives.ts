import { groupBy } from "../../../src/schema";
import { HOLDING_STORIES } from "./holding";
import { KINDS } from "./rules";

const KIND = new RegExp(
  `\\b(${[...KINDS].sort((one, other) => other.length - one.length).join("|")})\\b`,
  "g",
);

/** Returns the same text for rules that differ only in a kind of object, a number, or the words in brackets. */
const patternOf = (rule: string): string =>
  rule
    .replace(/\([^)]*\)/g, "")
    .replace(KIND, "KIND")
    .replace(/\d+/g, "N");

/**
 * Returns the rules of some stories for each pattern of a rule.
 *
 * @param count the number of stories for each pattern, including the stories of played rules
 * @param played the rules whose stories another suite plays, which are left out
 */
export function representatives(count: number, played: ReadonlySet<string>): string[] {
  const patterns = groupBy(HOLDING_STORIES, ({ rule }) => patternOf(rule));
  return [...patterns.values()].flatMap((stories, turn) => {
    const rest = stories.map(({ rule }) => rule).filter((rule) => !played.has(rule));
    const missing = Math.min(rest.length, Math.max(0, count - (stories.length - rest.length)));
    // Each pattern starts at another position of the list, so that the selected stories cover all kinds and faults.
    return Array.from(
      { length: missing },
      (_, index) => rest[(turn + Math.floor((index * rest.length) / missing)) % rest.length]!,
    );
  });
}
