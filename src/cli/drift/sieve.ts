import type { Diagnostic, ErrorCode } from "../../diagnostics";
import type { DriftedObject, UncheckedObject, UnmanagedObject } from "../../engine";
import { type Finding, fingerprintOf, nameOf, type UncheckedFinding } from "./finding";
import type { IgnoreFile } from "./ignore-file";

/** What was found and is not told in full. */
export interface PassedOver {
  /** Names of what the ignore file passes over, with its reasons. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[];
  /** Fingerprints of the differences that an earlier run had told already. */
  readonly known: readonly string[];
}

/** Lets through what has to be told: what is neither ignored nor known from an earlier run. */
export class Sieve {
  readonly #ignore: IgnoreFile | undefined;
  readonly #known: ReadonlySet<string>;

  constructor(ignore: IgnoreFile | undefined, known: ReadonlySet<string> = new Set()) {
    this.#ignore = ignore;
    this.#known = known;
  }

  drifted(all: readonly DriftedObject[], stack: string | undefined) {
    const ignored: { name: string; reason: string }[] = [];
    const left = all.flatMap((drifted) => {
      const finding: Finding = { kind: drifted.kind, stack, drifted };
      const wanted = this.#wanted(finding, drifted, ignored);
      return wanted === undefined ? [] : [wanted];
    });
    const { told, known } = this.#sort(left, (drifted) => ({ kind: drifted.kind, stack, drifted }));
    return { told, passedOver: { ignored, known } satisfies PassedOver };
  }

  /** Sorts objects that could not be looked at: what an entry accepts is no error any more. */
  unchecked(all: readonly UncheckedObject[]) {
    const ignored: { name: string; reason: string }[] = [];
    const told = all.filter((unchecked) => {
      const reason = isUnseen(unchecked)
        ? this.#ignore?.reasonFor({ kind: "unchecked", unchecked })
        : undefined;
      if (reason !== undefined) ignored.push({ name: unchecked.object.address, reason });
      return reason === undefined;
    });
    return { told, ignored };
  }

  unmanaged(all: readonly UnmanagedObject[]) {
    const ignored: { name: string; reason: string }[] = [];
    const left = all.filter((object) => {
      const finding: Finding = { kind: "unmanaged", object };
      const reason = this.#ignore?.reasonFor(finding);
      if (reason !== undefined) ignored.push({ name: nameOf(finding), reason });
      return reason === undefined;
    });
    const { told, known } = this.#sort(left, (object) => ({ kind: "unmanaged", object }));
    return { told, passedOver: { ignored, known } satisfies PassedOver };
  }

  /** What is left of an object once attributes are passed over; nothing where nothing is. */
  #wanted(
    finding: Finding,
    drifted: DriftedObject,
    ignored: { name: string; reason: string }[],
  ): DriftedObject | undefined {
    const name = nameOf(finding);
    const reason = this.#ignore?.reasonFor(finding);
    if (reason !== undefined) {
      ignored.push({ name, reason });
      return undefined;
    }
    const attributes = drifted.attributes.filter((attribute) => {
      const why = this.#ignore?.reasonForAttribute(finding, attribute);
      if (why !== undefined) ignored.push({ name: `${name}: ${attribute}`, reason: why });
      return why === undefined;
    });
    if (drifted.kind === "changed" && attributes.length === 0) return undefined;
    return { ...drifted, attributes };
  }

  #sort<T>(
    all: readonly T[],
    findingOf: (one: T) => Exclude<Finding, UncheckedFinding>,
  ): { told: T[]; known: string[] } {
    const told: T[] = [];
    const known: string[] = [];
    for (const one of all) {
      const fingerprint = fingerprintOf(findingOf(one));
      if (this.#known.has(fingerprint)) known.push(fingerprint);
      else told.push(one);
    }
    return { told, known };
  }
}

/** What a token may lastingly not see. An outage, or a token that ran out, is no such thing and can't be accepted. */
const UNSEEN: ReadonlySet<ErrorCode> = new Set(["rights_lost", "not_available", "forbidden", "feature_off"]);

/** Diagnostics without the errors that say of these objects that they can't be seen. */
export const withoutUnseen = (
  diagnostics: readonly Diagnostic[],
  accepted: ReadonlySet<string>,
): readonly Diagnostic[] =>
  diagnostics.filter(
    ({ severity, code, address = "" }) =>
      !(severity === "error" && UNSEEN.has(code) && accepted.has(address)),
  );

const isUnseen = ({ diagnostics }: UncheckedObject): boolean =>
  diagnostics.every(({ severity, code }) => severity === "warning" || UNSEEN.has(code));
