import { createHash } from "node:crypto";
import { fail } from "../../diagnostics";
import { canonicalJson, type DriftedObject, type UncheckedObject, type UnmanagedObject } from "../../engine";
import { parseJson } from "../../json";
import { fieldsOf, fieldsOfUndeclared, hiddenNames } from "../difference";
import { textOfNamed } from "../terminal/terminal";

/** One difference that a drift run found. */
export type Finding =
  | {
      readonly kind: "changed" | "vanished";
      readonly stack: string | undefined;
      readonly drifted: DriftedObject;
    }
  | { readonly kind: "unmanaged"; readonly object: UnmanagedObject }
  | UncheckedFinding;

/** An object that could not be checked. It is an error in every run, even if an earlier run reported it. */
export interface UncheckedFinding {
  readonly kind: "unchecked";
  readonly unchecked: UncheckedObject;
}

/** The name of a finding: the address of a declared object, or type and id of an undeclared one. */
export function nameOf(finding: Finding): string {
  if (finding.kind === "unmanaged") return unmanagedName(finding.object);
  return finding.kind === "unchecked" ? finding.unchecked.object.address : finding.drifted.change.address;
}

export const unmanagedName = ({ type, id }: UnmanagedObject): string => `${type} ${id}`;

/**
 * Identifies the same difference in another run: the same object, attributes and live values. Values of
 * sensitive attributes are not included.
 */
export function fingerprintOf(finding: Exclude<Finding, UncheckedFinding>): string {
  const facts =
    finding.kind === "unmanaged"
      ? [unmanagedName(finding.object), ...undeclaredValues(finding.object)]
      : [finding.stack ?? "", nameOf(finding), ...liveValues(finding.drifted)];
  return createHash("sha256")
    .update(JSON.stringify([finding.kind, ...facts]))
    .digest("hex")
    .slice(0, 20);
}

/** Of an object that somebody made by hand only the object counts; of settings, their values. */
const undeclaredValues = (object: UnmanagedObject): readonly (readonly [string, string])[] =>
  object.undeclared === undefined
    ? []
    : fieldsOfUndeclared(object)
        .filter(({ name }) => object.undeclared!.includes(name))
        .map(
          ({ name, difference }) =>
            [name, difference.kind === "hidden" ? "" : canonicalJson(object.live[name] ?? null)] as const,
        );

function liveValues({ change, attributes }: DriftedObject): readonly (readonly [string, string])[] {
  const hidden = hiddenNames(fieldsOf(change));
  return [...attributes]
    .sort()
    .map((name) => [name, hidden.has(name) ? "" : canonicalJson(change.after?.[name] ?? null)] as const);
}

const FINGERPRINT = /^[0-9a-f]{20}$/;

/**
 * Reads the fingerprints of the findings that an earlier run reported or already knew, from its JSON report
 * (`--report FILE.json`) or from the events of `drift --json`.
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

/** One JSON report, or one event per line. */
function parse(file: string, text: string): unknown[] {
  try {
    return [parseJson(text)];
  } catch {
    // The text is one document per line, or invalid.
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
    summary: "Earlier run can't be used",
    detail:
      `${JSON.stringify(file)} ${what}. Give --since the JSON report of an earlier run ` +
      "(`steward drift --report FILE.json`), or what `steward drift --json` wrote. For the first run, omit --since.",
  });
