import { type Check, lengths, patterns, terms } from "../../scripts/words/rules";
import { plainText, sentencesOf } from "../../scripts/words/text";

const namesIn = (check: Check, text: string, kind: Parameters<Check>[1] = "page") =>
  [...check(plainText(text), kind, "paragraph")].map((message) => /\(([\w-]+)\)$/.exec(message)?.[1]);

/** Sentences of the style guide, with the name of the pattern that finds each. */
const DIALECT: readonly (readonly [string, string])[] = [
  ["After a write it is looked what was done.", "it-is-looked"],
  ["Coverage finds what nobody declares.", "free-relative"],
  ["A list that is read anew.", "anew"],
  ["The value stands in the file.", "stand"],
  ["The message tells the reason.", "tell"],
  ["Drift sees declared objects alone.", "alone"],
  ["The backup beside it.", "beside"],
  ["A baseline with values of its own.", "of-its-own"],
  ["A refused write is no failure.", "is-no"],
  ["The setting is used no more.", "no-more"],
  ["Of an entry declared by number, neither is written.", "topic-first"],
  ["It lists projects, of which each has a token.", "missing-noun"],
  ["Use the value in place of the default.", "in-place-of"],
  ["It is a failure all the same.", "all-the-same"],
  ["A project that somebody deleted.", "agent"],
  ["For whoever is called.", "who-clause"],
  ["Else. We could read the list twice.", "else"],
];

describe("the check of patterns", () => {
  test.each(DIALECT)('the sentence "%s" contains a pattern to avoid (%#)', (text, name) => {
    expect(namesIn(patterns, text)).toContain(name);
  });

  test.each([
    "`plan` shows what would change and who gains access.",
    "The log explains what the service returned.",
    "What do you need?",
    "There is no lock.",
    "The value is no longer used.",
    "Leave it alone.",
    "Use `in place of` or `anew` only as code.",
    "Live objects without a declaration are unmanaged.",
  ])("the check accepts the sentence: %s", (text) => {
    expect(namesIn(patterns, text)).toEqual([]);
  });

  test.each(["What a create made.", "Where it is.", "The same for several."])(
    "the check reports the opening words of the comment: %s",
    (text) => {
      expect(namesIn(patterns, text, "comment")).toContain("opening");
    },
  );
});

describe("the check of terms", () => {
  const avoided = [{ term: "response", find: /\banswers?\b/gi }];

  test("for a word that the glossary replaces, the finding suggests the glossary's term", () => {
    expect([...terms(avoided)("The answer is late.", "page", "paragraph")]).toEqual([
      `"The answer is late.": the glossary's term is "response" (term)`,
    ]);
  });

  test("an avoided word is not reported if it is only a part of a longer word", () => {
    expect(namesIn(terms(avoided), "unanswerable")).toEqual([]);
  });
});

describe("the check of lengths", () => {
  const words = (count: number) => `${"word ".repeat(count - 1)}word`;

  test.each([
    ["paragraph", "page", 25, "sentence-length"],
    ["cell", "page", 25, "cell-length"],
    ["paragraph", "title", 20, "title-length"],
    ["paragraph", "help", 20, "help-length"],
  ] as const)("the limit of a %s in a %s is %d words", (place, kind, most, name) => {
    expect([...lengths(words(most), kind, place)]).toEqual([]);
    expect([...lengths(words(most + 1), kind, place)]).toEqual([expect.stringContaining(`(${name})`)]);
  });

  test("code in a sentence counts as one word", () => {
    expect(plainText("Run `steward plan --out plan.steward` [now](https://steward.example/a b)")).toBe(
      "Run Code now",
    );
  });

  test("a sentence does not end after an abbreviation", () => {
    expect(sentencesOf("One. Two is here! see e.g. this one.")).toEqual([
      "One.",
      "Two is here! see e.g. this one.",
    ]);
  });
});
