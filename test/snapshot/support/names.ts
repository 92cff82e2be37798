import fc from "fast-check";

/**
 * Generates names that anonymization must replace. No other text in a fixture has four letters of these names in a row.
 * `ORIGINAL` therefore finds every name that was not replaced.
 */
export const WORD = fc.string({ unit: fc.constantFrom(..."qzxj"), minLength: 4, maxLength: 8 });
export const ORIGINAL = /[qzxj]{4}/i;

/** Texts that a hostile or careless person may add to a name. */
const DECORATIONS = [
  ..."'\"\\:#~&*!|>{}[],%@`éß🚀-?.",
  " ",
  ": ",
  " #",
  "\n",
  "\r\n",
  "\t",
  "\u0085",
  "\u2028",
  "\u202e",
  "\u200b",
  "\ufeff",
  "\u001b[2J",
  "null",
  "1e3",
  "::error::",
];
export const text = fc
  .tuple(fc.constantFrom("", "", ...DECORATIONS), WORD, fc.constantFrom("", "", ...DECORATIONS), WORD)
  .map((parts) => parts.join(""));
const SEGMENT_DECORATIONS = ["", "", "", ".", "-", "_", "é", "ß", "'", "+", ":", "#", "%", "1e3", "Q"];
export const segment = fc.tuple(WORD, fc.constantFrom(...SEGMENT_DECORATIONS)).map((parts) => parts.join(""));
export const email = fc
  .tuple(
    WORD,
    fc.constantFrom("", ".x", "+1"),
    fc.oneof(
      fc.constant("example.com"),
      WORD.map((word) => `${word}.example`),
    ),
  )
  .map(([word, more, domain]) => `${word}${more}@${domain}`);
export const pattern = fc
  .array(fc.tuple(fc.constantFrom("", "*"), WORD, fc.constantFrom("", "*", "Q", "-*")), {
    minLength: 1,
    maxLength: 3,
  })
  .map((segments) => segments.map((parts) => parts.join("")).join("/"));
