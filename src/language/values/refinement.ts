import type { Num } from "./number";

/**
 * The known facts about an unknown value. Terraform uses them for decisions. A string with the known prefix "a" is
 * not equal to "b". An index into a list with three elements is valid.
 */
export class Refinement {
  constructor(
    /** The value is not null. */
    readonly isNotNull: boolean = false,
    /** A string has this prefix. */
    readonly prefix: string = "",
    /** A number is at least this… */
    readonly min: Num = -Infinity,
    /** …and at most this. */
    readonly max: Num = Infinity,
    /** A collection has at least this many elements… */
    readonly minLength: number = 0,
    /** …and at most this many. */
    readonly maxLength: number = Infinity,
  ) {}
}

/** The refinement of a value that may be anything. */
export const UNREFINED = new Refinement();
/** The refinement of a value that is not null. */
export const NOT_NULL = new Refinement(true);

/** Delimiters that no following character can combine with. */
const ENDS_CLUSTER = /[-_:;/\\,.(){}[\]|?!~ \t@#$%^&*+"']$/;
const PREFIX_LIMIT = 128;

/**
 * The part of a prefix that stays valid with any continuation: the last character could still be changed by a
 * combining mark.
 */
export function safePrefix(text: string): string {
  const start = text.slice(0, PREFIX_LIMIT).normalize("NFC");
  if (start === "" || ENDS_CLUSTER.test(start)) return start;
  const clusters = [...new Intl.Segmenter("und", { granularity: "grapheme" }).segment(start)];
  return start.slice(0, clusters.at(-1)!.index);
}
