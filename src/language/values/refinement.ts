import type { Num } from "./number";

/**
 * The known facts about an unknown value. As in Terraform, such facts make some results known. For example, an unknown string
 * with the prefix "a" is not equal to "b".
 */
export class Refinement {
  constructor(
    /** Whether the value is certainly not null. */
    readonly isNotNull: boolean = false,
    /** The known start of a string; empty if no character is known. */
    readonly prefix: string = "",
    /** The minimum value of a number. */
    readonly min: Num = -Infinity,
    /** The maximum value of a number. */
    readonly max: Num = Infinity,
    /** The minimum number of elements in a collection. */
    readonly minLength: number = 0,
    /** The maximum number of elements in a collection. */
    readonly maxLength: number = Infinity,
  ) {}
}

/** The refinement of a value about which nothing is known. */
export const UNREFINED = new Refinement();
/** The refinement of a value that is certainly not null. */
export const NOT_NULL = new Refinement(true);

/** Matches a text that ends with a character that does not combine with the next character. */
const ENDS_CLUSTER = /[-_:;/\\,.(){}[\]|?!~ \t@#$%^&*+"']$/;
const PREFIX_LIMIT = 128;

/**
 * Returns the certain part of a prefix: without the last character, unless it is a delimiter. A combining mark after the prefix
 * could change this character.
 */
export function safePrefix(text: string): string {
  const start = text.slice(0, PREFIX_LIMIT).normalize("NFC");
  if (start === "" || ENDS_CLUSTER.test(start)) return start;
  const clusters = [...new Intl.Segmenter("und", { granularity: "grapheme" }).segment(start)];
  return start.slice(0, clusters.at(-1)!.index);
}
