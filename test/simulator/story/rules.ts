// What stories that explain a rule are written with: a table of rules, each with its story as `notation.ts` reads it.
import { KEYS, type Kind } from "../world/objects";

/** A story by the rule that it explains. */
export type Rules = Readonly<Record<string, string>>;

export const KINDS = Object.keys(KEYS) as Kind[];

type Words = Readonly<Record<string, string | number>>;

/** The same rules for each of several things; words in capitals stand for them, in the rule and in its story. */
export const forEach = (all: readonly Words[], rules: Rules): Rules =>
  Object.fromEntries(
    all.flatMap((words) => {
      const said = (text: string): string =>
        text.replace(/\b[A-Z]+\b/g, (word) => String(words[word] ?? word));
      return Object.entries(rules).map(([rule, story]) => [said(rule), said(story)]);
    }),
  );

/** The same where one word stands for something else each time. */
export const each = (word: string, values: readonly (string | number)[], rules: Rules): Rules =>
  forEach(
    values.map((value) => ({ [word]: value })),
    rules,
  );

/** Two environments of one project. */
export const TWO = "declare one environment; declare two environment staging";
