import type { Diagnostic, ErrorCode } from "../../diagnostics";
import type { DriftedObject, UncheckedObject, UnmanagedObject } from "../../engine";
import { counted } from "../../text";
import { driftFinding, type RecurringFinding, uncheckedFinding, unmanagedFinding } from "./finding";
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
    return this.#sorted(
      all,
      (drifted) => driftFinding(drifted, stack),
      (drifted, isIgnored) => {
        const attributes = drifted.attributes.filter((name) => !isIgnored(name));
        return drifted.kind === "changed" && attributes.length === 0 ? undefined : { ...drifted, attributes };
      },
    );
  }

  /** Separates unchecked objects: objects that an entry accepts are not errors. */
  unchecked(all: readonly UncheckedObject[]) {
    const ignored: { name: string; reason: string }[] = [];
    const reported = all.filter((unchecked) => {
      const reason = isUnseen(unchecked) ? this.ignore?.reasonFor(uncheckedFinding(unchecked)) : undefined;
      if (reason !== undefined) ignored.push({ name: unchecked.object.address, reason });
      return reason === undefined;
    });
    return { reported, ignored };
  }

  unmanaged(all: readonly UnmanagedObject[]) {
    return this.#sorted(all, unmanagedFinding, (object, isIgnored) => {
      // Objects other than settings are ignored as a whole.
      if (object.undeclared === undefined) return object;
      const dropped = new Set(object.undeclared.filter(isIgnored));
      const undeclared = object.undeclared.filter((name) => !dropped.has(name));
      const without = <T extends object>(values: T): T =>
        Object.fromEntries(Object.entries(values).filter(([name]) => !dropped.has(name))) as T;
      const [live, attributes] = [without(object.live), without(object.attributes)];
      return undeclared.length === 0 ? undefined : { ...object, live, attributes, undeclared };
    });
  }

  /** @param left a finding without its ignored attributes; undefined if none remain */
  #sorted<T extends DriftedObject | UnmanagedObject>(
    all: readonly T[],
    findingOf: (one: T) => RecurringFinding,
    left: (one: T, isIgnored: (attribute: string) => boolean) => T | undefined,
  ) {
    const reported: T[] = [];
    const ignored: { name: string; reason: string }[] = [];
    const known: KnownFinding[] = [];
    for (const one of all) {
      const found = findingOf(one);
      const { name } = found;
      const note = (what: string, reason: string | undefined): boolean => {
        if (reason !== undefined) ignored.push({ name: what, reason });
        return reason !== undefined;
      };
      if (note(name, this.ignore?.reasonFor(found))) continue;
      const wanted = left(one, (attribute) =>
        note(`${name}: ${attribute}`, this.ignore?.reasonFor(found, attribute)),
      );
      if (wanted === undefined) continue;
      const fingerprint = findingOf(wanted).fingerprint();
      if (!this.known.has(fingerprint)) reported.push(wanted);
      else known.push({ name, fingerprint, ...("change" in wanted && { drifted: wanted }) });
    }
    return { reported, suppressed: { ignored, known } satisfies Suppressed };
  }
}

/**
 * Conditions that a token may never be able to see. Outages and expired tokens are not among them and can't
 * be accepted.
 */
const UNSEEN: ReadonlySet<ErrorCode> = new Set([
  "rights_lost",
  "containers_not_visible",
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
