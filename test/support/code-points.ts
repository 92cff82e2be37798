import * as fc from "fast-check";

const LAST = 0x10ffff;
const SURROGATES = { first: 0xd800, count: 0x800 } as const;

const codePointAt = (index: number): number => (index < SURROGATES.first ? index : index + SURROGATES.count);

function indexOf(text: unknown): number {
  const code = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code))
    throw new Error("This is not one code point.");
  if (code < SURROGATES.first) return code;
  if (code < SURROGATES.first + SURROGATES.count) throw new Error("This is a surrogate.");
  return code - SURROGATES.count;
}

/**
 * Generates any code point except surrogates, as the unit of random texts. The unit "binary" of fast-check has the same
 * values, but creates a table of all these values. The table takes 86 MB and a second of processor time in each worker.
 */
export const codePoint = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map((index) => String.fromCodePoint(codePointAt(index)), indexOf);
