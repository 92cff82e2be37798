import type { Diagnostic, ErrorCode } from "../../diagnostics";
import type { DriftedObject, UncheckedObject, UnmanagedObject } from "../../engine";
import { counted } from "../../text";
import { type Finding, fingerprintOf, nameOf, type UncheckedFinding } from "./finding";
import type { SettingWaivers } from "./waivers";

/** Findings that are not reported in full. */
export interface Suppressed {
  /** Names of ignored findings, with their reasons. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[];
  /** Findings that an earlier run already reported. */
  readonly known: readonly KnownFinding[];
}

interface KnownFinding {
  readonly name: string;
  readonly fingerprint: string;
  /** The difference, of a declared object. */
  readonly drifted?: DriftedObject;
}

/** Keeps the findings that are neither ignored nor known from an earlier run. */
export class FindingFilter {
  constructor(
    private readonly ignore: SettingWaivers | undefined,
    private readonly known: ReadonlySet<string> = new Set(),
  ) {}

  drifted(all: readonly DriftedObject[], stack: string | undefined) {
    const ignored: { name: string; reason: string }[] = [];
    const left = all.flatMap((drifted) => {
      const finding: Finding = { kind: drifted.kind, stack, drifted };
      const wanted = this.#wanted(finding, drifted, ignored);
      return wanted === undefined ? [] : [wanted];
    });
    const { reported, known } = this.#sort(left, (drifted) => ({ kind: drifted.kind, stack, drifted }));
    return { reported, suppressed: { ignored, known } satisfies Suppressed };
  }

  /** Separates unchecked objects: those that an entry accepts are not errors. */
  unchecked(all: readonly UncheckedObject[]) {
    const ignored: { name: string; reason: string }[] = [];
    const reported = all.filter((unchecked) => {
      const reason = isUnseen(unchecked)
        ? this.ignore?.reasonFor({ kind: "unchecked", unchecked })
        : undefined;
      if (reason !== undefined) ignored.push({ name: unchecked.object.address, reason });
      return reason === undefined;
    });
    return { reported, ignored };
  }

  unmanaged(all: readonly UnmanagedObject[]) {
    const ignored: { name: string; reason: string }[] = [];
    const left = all.flatMap((object) => {
      const finding: Finding = { kind: "unmanaged", object };
      const reason = this.ignore?.reasonFor(finding);
      if (reason === undefined) return this.#wantedSettings(finding, object, ignored);
      ignored.push({ name: nameOf(finding), reason });
      return [];
    });
    const { reported, known } = this.#sort(left, (object) => ({ kind: "unmanaged", object }));
    return { reported, suppressed: { ignored, known } satisfies Suppressed };
  }

  /** The finding without its ignored attributes; undefined if none remain. */
  #wanted(
    finding: Finding,
    drifted: DriftedObject,
    ignored: { name: string; reason: string }[],
  ): DriftedObject | undefined {
    const name = nameOf(finding);
    const reason = this.ignore?.reasonFor(finding);
    if (reason !== undefined) {
      ignored.push({ name, reason });
      return undefined;
    }
    const attributes = drifted.attributes.filter((attribute) => {
      const why = this.ignore?.reasonForAttribute(finding, attribute);
      if (why !== undefined) ignored.push({ name: `${name}: ${attribute}`, reason: why });
      return why === undefined;
    });
    if (drifted.kind === "changed" && attributes.length === 0) return undefined;
    return { ...drifted, attributes };
  }

  /** Settings without those that are ignored; none if none remain. Other objects are ignored as a whole. */
  #wantedSettings(
    finding: Finding,
    object: UnmanagedObject,
    ignored: { name: string; reason: string }[],
  ): UnmanagedObject[] {
    if (object.undeclared === undefined) return [object];
    const dropped = new Set<string>();
    for (const attribute of object.undeclared) {
      const why = this.ignore?.reasonForAttribute(finding, attribute);
      if (why === undefined) continue;
      dropped.add(attribute);
      ignored.push({ name: `${nameOf(finding)}: ${attribute}`, reason: why });
    }
    const undeclared = object.undeclared.filter((attribute) => !dropped.has(attribute));
    if (undeclared.length === 0) return [];
    const without = <T extends object>(all: T): T =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !dropped.has(name))) as T;
    return [{ ...object, live: without(object.live), attributes: without(object.attributes), undeclared }];
  }

  #sort<T>(
    all: readonly T[],
    findingOf: (one: T) => Exclude<Finding, UncheckedFinding>,
  ): { reported: T[]; known: Suppressed["known"] } {
    const reported: T[] = [];
    const known: KnownFinding[] = [];
    for (const one of all) {
      const finding = findingOf(one);
      const fingerprint = fingerprintOf(finding);
      if (!this.known.has(fingerprint)) reported.push(one);
      else
        known.push({
          ...{ name: nameOf(finding), fingerprint },
          ...("drifted" in finding && { drifted: finding.drifted }),
        });
    }
    return { reported, known };
  }
}

/**
 * Conditions that a token may never be able to see. Outages and expired tokens are not among them and can't
 * be accepted.
 */
const UNSEEN: ReadonlySet<ErrorCode> = new Set([
  "rights_lost",
  "token_without_role",
  "not_available",
  "forbidden",
  "feature_off",
]);

/** Removes the errors that report these objects as not visible. */
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

/** A sentence for runs whose findings are all suppressed; undefined otherwise. No full stop. */
export function suppressedSentence(known: number, ignored: number): string | undefined {
  if (known === 0 && ignored === 0) return undefined;
  if (known === 0) return `${counted(ignored, "difference")} ignored, no others`;
  const ignoredPart = ignored === 0 ? "" : ` and ${ignored} ignored`;
  return `${counted(known, "difference")} known from the earlier run${ignoredPart}, no new ones`;
}
