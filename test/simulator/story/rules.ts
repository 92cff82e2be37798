// The tools for stories that explain a rule: a table of rules, each with its story in the notation of `notation.ts`.
import { KEYS, type Kind } from "../world/objects";

/** A story by the rule that it explains. */
export type Rules = Readonly<Record<string, string>>;

export const KINDS = Object.keys(KEYS) as Kind[];

type Words = Readonly<Record<string, string | number>>;

/** Repeats rules for several things; words in capitals are replaced, in the rule and in its story. */
export const forEach = (all: readonly Words[], rules: Rules): Rules =>
  Object.fromEntries(
    all.flatMap((words) => {
      const said = (text: string): string =>
        text.replace(/\b[A-Z]+\b/g, (word) => String(words[word] ?? word));
      return Object.entries(rules).map(([rule, story]) => [said(rule), said(story)]);
    }),
  );

/** Repeats rules for several values of one word. */
export const each = (word: string, values: readonly (string | number)[], rules: Rules): Rules =>
  forEach(
    values.map((value) => ({ [word]: value })),
    rules,
  );

/** Two environments of one project. */
export const TWO = "declare one environment; declare two environment staging";
