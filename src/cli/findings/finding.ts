import { createHash } from "node:crypto";
import { type Diagnostic, type ErrorCode, fail } from "../../diagnostics";
import {
  canonicalJson,
  type DriftedObject,
  type DriftReport,
  type UncheckedObject,
  type UnmanagedObject,
} from "../../engine";
import { parseJson } from "../../json";
import { counted } from "../../text";
import { fieldsOf, fieldsOfUndeclared, hiddenNames } from "../difference";
import { containerOf, placeOfUndeclared } from "../objects/object-facts";
import { textOfNamed } from "../terminal/terminal";
import type { Finding, SettingWaivers } from "./waivers";

/** A finding with a fingerprint, by which a later run can recognize the same finding. */
export interface RecurringFinding extends Finding {
  /**
   * Returns a text that is equal in every run with the same difference: the same object, attributes and live values. The text
   * does not depend on the values of sensitive attributes.
   */
  fingerprint(): string;
}

const uncheckedFinding = ({ object }: UncheckedObject): Finding => ({
  kind: "unchecked",
  name: object.address,
  place: containerOf(object)?.name,
});

export function driftFinding({ kind, change, attributes }: DriftedObject, stack = ""): RecurringFinding {
  const name = change.address;
  const values = () => {
    const hidden = hiddenNames(fieldsOf(change));
    return [...attributes]
      .sort()
      .map((one) => [one, hidden.has(one) ? "" : canonicalJson(change.after?.[one] ?? null)]);
  };
  const fingerprint = () => fingerprintOf([kind, stack, name, ...values()]);
  return { kind, name, place: containerOf(change)?.name, fingerprint };
}

export const unmanagedName = ({ type, id }: UnmanagedObject): string => `${type} ${id}`;

export function unmanagedFinding(object: UnmanagedObject): RecurringFinding {
  const { project, group } = placeOfUndeclared(object);
  const name = unmanagedName(object);
  // The fingerprint of an undeclared setting contains its values. An object that a person created by hand has no `undeclared`
  // attributes. The fingerprint of an object without `undeclared` attributes contains only that the object exists.
  const values = () =>
    (object.undeclared === undefined ? [] : fieldsOfUndeclared(object))
      .filter((field) => object.undeclared!.includes(field.name))
      .map(({ name: one, difference }) => [
        one,
        difference.kind === "hidden" ? "" : canonicalJson(object.live[one] ?? null),
      ]);
  const kind = object.unlisted === undefined ? "unmanaged" : "unlisted";
  return {
    kind,
    name,
    place: object.isContainer ? object.id : (project ?? group),
    fingerprint: () => fingerprintOf([kind, name, ...values()]),
  };
}

const fingerprintOf = (facts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 20);

const FINGERPRINT = /^[0-9a-f]{20}$/;

/**
 * Reads the fingerprints of the findings of an earlier run, including findings that were already known to the earlier run. The
 * file contains the JSON report of the earlier run (`--report FILE.json`), or its events from `drift --json`.
 *
 * @throws DiagnosticError `invalid_since_file`
 */
export function fingerprintsIn(file: string, folder: string): ReadonlySet<string> {
  const documents = parse(file, textOfNamed(file, folder, invalid));
  if (!documents.some(isDriftRun)) return invalid(file, "contains no run of `steward drift`");
  const found = new Set<string>();
  for (const document of documents) collect(document, found);
  return found;
}

/** Parses a file with one JSON report, or with one event in each line. */
function parse(file: string, text: string): unknown[] {
  try {
    return [parseJson(text)];
  } catch {
    // If the whole text is not one JSON document, each line must be a JSON document.
  }
  try {
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => parseJson(line));
  } catch (problem) {
    return invalid(file, `is not JSON: ${(problem as Error).message}`);
  }
}

const isDriftRun = (document: unknown): boolean => {
  const { command, type } = (document ?? {}) as Record<string, unknown>;
  return command === "drift" || type === "drift_summary";
};

function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    if (name === "fingerprint") add(one, found);
    else if (name === "known_fingerprints" && Array.isArray(one)) for (const known of one) add(known, found);
    else collect(one, found);
  }
}

function add(value: unknown, found: Set<string>): void {
  if (typeof value === "string" && FINGERPRINT.test(value)) found.add(value);
}

const invalid = (file: string, what: string): never =>
  fail({
    code: "invalid_since_file",
    summary: "Earlier report can't be used",
    detail: `${JSON.stringify(file)} ${what}. Set --since to the JSON report of an earlier run (\`steward drift --report FILE.json\`) or the output of \`steward drift --json\`. For the first run, omit --since.`,
  });

/** Findings for which the run reports only names. */
export interface Suppressed {
  /** The names of ignored findings, each with the reason of the waiver that ignores the finding. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[];
  /** Findings that an earlier run already reported. */
  readonly known: readonly KnownFinding[];
}

interface KnownFinding {
  readonly name: string;
  readonly fingerprint: string;
  /** The drifted object, if the finding is about a declared object. */
  readonly drifted?: DriftedObject;
}

/**
 * Divides findings into reported findings and suppressed findings. A finding is suppressed if a waiver ignores it, or if an
 * earlier run reported it.
 */
export class FindingFilter {
  constructor(
    private readonly ignore: SettingWaivers | undefined,
    private readonly known: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * Divides the findings in the report of a stack into reported and suppressed findings. `accepted` has the addresses of
   * unreadable objects for which a waiver accepts that they can't be read.
   */
  ofReport(report: DriftReport, stack: string | undefined) {
    const objects = [...report.objects, ...report.unchecked.map(({ object }) => object)];
    this.ignore?.saw(
      objects.map((object) => ({
        name: object.address,
        attributes: object.attributes,
        place: containerOf(object)?.name,
      })),
    );
    const { reported: drifted, suppressed } = this.drifted(report.drifted, stack);
    const unchecked = this.unchecked(report.unchecked);
    const accepted = new Set(unchecked.ignored.map((one) => one.name));
    const diagnostics = withoutUnseen(report.diagnostics, accepted);
    return {
      reported: { ...report, drifted, unchecked: unchecked.reported, diagnostics },
      accepted,
      suppressed: { ...suppressed, ignored: [...suppressed.ignored, ...unchecked.ignored] },
    };
  }

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

  /**
   * Divides the objects that could not be checked into reported objects and ignored objects. A waiver accepts each ignored
   * object.
   */
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
      // A waiver for single attributes has an effect only on settings. An object that is not a setting is ignored as a whole or
      // not at all.
      if (object.undeclared === undefined) return object;
      const dropped = new Set(object.undeclared.filter(isIgnored));
      const undeclared = object.undeclared.filter((name) => !dropped.has(name));
      const without = <T extends object>(values: T): T =>
        Object.fromEntries(Object.entries(values).filter(([name]) => !dropped.has(name))) as T;
      const [live, attributes] = [without(object.live), without(object.attributes)];
      return undeclared.length === 0 ? undefined : { ...object, live, attributes, undeclared };
    });
  }

  /** @param left returns a finding without its ignored attributes; undefined if no attribute remains */
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
 * The codes of the errors that waivers can accept: the token may not see the object, which can be permanent. Waivers can't
 * accept errors about outages and expired tokens.
 */
const UNSEEN: ReadonlySet<ErrorCode> = new Set([
  "rights_lost",
  "containers_not_visible",
  "token_without_role",
  "not_available",
  "forbidden",
  "feature_off",
]);

/** Returns the diagnostics without the errors which say that an accepted object is not visible. */
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

/** Returns a sentence without a full stop about a run whose findings are all suppressed; undefined if the run has no findings. */
export function suppressedSentence(known: number, ignored: number): string | undefined {
  if (known === 0 && ignored === 0) return undefined;
  if (known === 0) return `${counted(ignored, "difference")} ignored, no others`;
  const ignoredPart = ignored === 0 ? "" : ` and ${ignored} ignored`;
  return `${counted(known, "difference")} known from the earlier run${ignoredPart}, no new ones`;
}
