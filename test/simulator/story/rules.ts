// Tools for tables of rules. Each rule has a story, in the notation of `notation.ts`, that would break the rule if
// Steward had a certain fault.
import { KEYS, type Kind } from "../world/objects";

/** Stories as text, by the rule that each story explains. */
export type Rules = Readonly<Record<string, string>>;

export const KINDS = Object.keys(KEYS) as Kind[];

type Words = Readonly<Record<string, string | number>>;

/** Repeats rules for each set of words. Words in capitals are placeholders, in the rule and in its story. */
export const forEach = (all: readonly Words[], rules: Rules): Rules =>
  Object.fromEntries(
    all.flatMap((words) => {
      const said = (text: string): string =>
        text.replace(/\b[A-Z]+\b/g, (word) => String(words[word] ?? word));
      return Object.entries(rules).map(([rule, story]) => [said(rule), said(story)]);
    }),
  );

/** Repeats rules for each value of one placeholder. */
export const each = (word: string, values: readonly (string | number)[], rules: Rules): Rules =>
  forEach(
    values.map((value) => ({ [word]: value })),
    rules,
  );

/** Steps that declare two environments of one project. */
export const TWO = "declare one environment; declare two environment staging";
