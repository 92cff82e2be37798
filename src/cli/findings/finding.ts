import { createHash } from "node:crypto";
import { fail } from "../../diagnostics";
import { canonicalJson, type DriftedObject, type UncheckedObject, type UnmanagedObject } from "../../engine";
import { parseJson } from "../../json";
import { fieldsOf, fieldsOfUndeclared, hiddenNames } from "../difference";
import { containerOf, placeOfUndeclared } from "../objects/object-facts";
import { textOfNamed } from "../terminal/terminal";

/** One difference that a drift run found, or an object that it could not check. */
export interface Finding {
  readonly kind: DriftedObject["kind"] | "unmanaged" | "unlisted" | "unchecked";
  /** The address of a declared object, or type and id of an undeclared one. */
  readonly name: string;
  /** The path of its project or group. */
  readonly place: string | undefined;
}

/** A finding that other runs can also have. */
export interface RecurringFinding extends Finding {
  /**
   * Identifies the same difference in another run: the same object, attributes and live values. Values of sensitive attributes are
   * not included.
   */
  fingerprint(): string;
}

export const uncheckedFinding = ({ object }: UncheckedObject): Finding => ({
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
  // For an object that was created by hand, only its existence counts. For settings, their values count.
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
    summary: "Earlier report can't be used",
    detail: `${JSON.stringify(file)} ${what}. Set --since to the JSON report of an earlier run (\`steward drift --report FILE.json\`) or the output of \`steward drift --json\`. For the first run, omit --since.`,
  });
