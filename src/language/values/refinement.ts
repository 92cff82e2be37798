import type { Num } from "./number";

/**
 * What is known of an unknown value. Terraform decides with it: a string known to begin with "a" is not equal to "b",
 * and an index into a list known to have three elements is within it.
 */
export class Refinement {
  constructor(
    /** The value will not be null. */
    readonly notNull: boolean = false,
    /** A string will begin so. */
    readonly prefix: string = "",
    /** A number will be at least this… */
    readonly min: Num = -Infinity,
    /** …and at most this. */
    readonly max: Num = Infinity,
    /** A collection will have at least so many elements… */
    readonly minLength: number = 0,
    /** …and at most so many. */
    readonly maxLength: number = Infinity,
  ) {}
}

/** Nothing is known. */
export const UNREFINED = new Refinement();
/** Only that it is not null. */
export const NOT_NULL = new Refinement(true);

/** Delimiters that no following character can combine with. */
const ENDS_CLUSTER = /[-_:;/\\,.(){}[\]|?!~ \t@#$%^&*+"']$/;
const PREFIX_LIMIT = 128;

/**
 * As much of a known beginning as stays true whatever follows it: a letter at the end could still become another
 * one, by a combining mark.
 */
export function safePrefix(text: string): string {
  const start = text.slice(0, PREFIX_LIMIT).normalize("NFC");
  if (start === "" || ENDS_CLUSTER.test(start)) return start;
  const clusters = [...new Intl.Segmenter("und", { granularity: "grapheme" }).segment(start)];
  return start.slice(0, clusters.at(-1)!.index);
}
