import type { Field } from "../difference";
import type { ReadReport } from "../reports/read-report";

/** A set of small numbers that takes a bit for each: a year of hourly reports has millions of them. */
export class IndexSet {
  #bits = new Uint8Array(0);

  add(index: number): void {
    const at = index >> 3;
    if (at >= this.#bits.length) this.#grow(at + 1);
    this.#bits[at]! |= 1 << (index & 7);
  }

  addAll(other: IndexSet): void {
    if (other.#bits.length > this.#bits.length) this.#grow(other.#bits.length);
    for (const [at, bits] of other.#bits.entries()) this.#bits[at]! |= bits;
  }

  has(index: number): boolean {
    return ((this.#bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  #grow(bytes: number): void {
    const grown = new Uint8Array(bytes + (bytes >> 2));
    grown.set(this.#bits);
    this.#bits = grown;
  }
}

/** Where an object is: as the newest report that names the object has it. */
export interface Place {
  readonly project?: string | undefined;
  readonly group?: string | undefined;
  /** The web page of the project or group. */
  readonly url?: string | undefined;
}

/** An object that reports name. */
export interface KnownObject {
  readonly index: number;
  readonly isDeclared: boolean;
  /** Undefined for an undeclared object, which belongs to no stack; null for a configuration that is not a stack. */
  readonly stack: string | null | undefined;
  /** Type and id for an undeclared object. */
  readonly address: string;
  readonly type: string;
  place: Place;
  /** Undeclared: the project or group, as `coverage` of a report names it. */
  container: string | undefined;
}

/** The values of an attribute in the newest report that has them, as short texts. Those of a sensitive one are absent. */
export interface Values {
  /** What differs within the value, or the attributes of an object that is not declared; absent before format 1.7. */
  readonly fields?: readonly Field[];
  /** What was applied. */
  readonly before?: string | undefined;
  /** What was live. */
  readonly after?: string | undefined;
}

/** A difference that reports name: the same one in several runs. */
export interface Difference {
  readonly index: number;
  readonly object: KnownObject;
  readonly kind: "changed" | "vanished" | "undeclared";
  /** Of a changed object. */
  readonly attribute: string | undefined;
  values: Values;
}

/** What one run tells. Objects and differences are numbers, as a year of hourly runs names the same ones again and again. */
export interface RunFacts extends Pick<ReadReport, "time" | "command" | "hasScope"> {
  /** Of the report's bytes: orders runs of the same time. */
  readonly digest: string;
  /** The web page of its job or pipeline. */
  readonly page: string | undefined;
  readonly hasFailed: boolean;
  /** The stacks of the run. */
  readonly stacks: ReadonlySet<string | null>;
  /** Whether objects of a stack were left out by options. */
  readonly hasOmissions: boolean;
  /** Declared objects that the report lists. */
  readonly listed: IndexSet;
  /** Those whose live values were compared and are known. */
  readonly checked: IndexSet;
  readonly differences: readonly number[];
  /** Fingerprints of findings that an earlier run reported, with their stack. */
  readonly known: readonly { readonly stack: string | null; readonly fingerprint: string }[];
  /** Objects whose differences the report leaves out, because an earlier run reported them. */
  readonly withheld: readonly { readonly object: number; readonly fingerprint: string }[];
  /** Keys of what the ignore file suppresses: see `ignoredKey`. */
  readonly ignored: ReadonlySet<string>;
  /**
   * The containers that were searched for undeclared objects; `unknown` if an older report does not name them, and undefined
   * for a run that searched none.
   */
  readonly coverage: ReadonlySet<string> | "unknown" | undefined;
  /** Objects that a repair or an apply changed. */
  readonly restored: readonly number[];
  /** Objects with a new address. */
  readonly moves: readonly { readonly from: number; readonly to: number }[];
}

/** The key of an ignored object, or of one attribute of it. */
export const ignoredKey = (stack: string | null | undefined, name: string): string =>
  JSON.stringify([stack === undefined ? "" : [stack], name]);

/** A moment of the history: runs of one time are in the order of their digests. */
export type Moment = Pick<RunFacts, "time" | "digest">;

export const isBefore = (one: Moment, other: Moment): boolean =>
  one.time < other.time || (one.time === other.time && one.digest < other.digest);
