import { causeOf, type Diagnostic } from "../../diagnostics";
import { oneLine } from "../../text";

/** The maximum number of objects that a group names. */
const MAX_NAMES = 10;

/** Diagnostics with the same cause: the first one, and all affected objects. */
export interface Group {
  /** Equal for groups with the same cause in several stacks; undefined if the problem is that of its objects. */
  readonly cause: string | undefined;
  readonly first: Diagnostic;
  readonly objects: readonly string[];
}

/** Groups diagnostics by cause. An error without a cause is only grouped with equal ones, a warning with equal texts. */
export function byCause(diagnostics: readonly Diagnostic[]): Group[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = causeOf(diagnostic) ?? textOf(diagnostic) ?? JSON.stringify(diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  return [...groups].map(([key, all]) => ({
    cause: causeOf(all[0]!) ?? textOf(all[0]!) ?? (isOfProvider(all[0]!) ? key : undefined),
    first: all[0]!,
    objects: [...new Set(all.flatMap(({ address }) => (address === undefined ? [] : [oneLine(address)])))],
  }));
}

/** What a warning says: whatever objects it is about, its cause is the same. */
const textOf = ({ severity, code, summary, detail, attribute }: Diagnostic): string | undefined =>
  severity === "warning" ? JSON.stringify([code, summary, detail, attribute]) : undefined;

/** Whether a diagnostic is about the configuration of a provider: what all stacks take from the environment fails in all. */
const isOfProvider = ({ address }: Diagnostic): boolean => address?.startsWith("provider.") ?? false;

/** The first diagnostic of a group, with all affected objects. */
export function withAffectedObjects({ first, objects }: Group): Diagnostic {
  if (objects.length < 2) return first;
  return {
    ...first,
    detail: `${first.detail}\n\nThis affects ${objects.length} objects: ${listNames(objects)}.`,
  };
}

/** A group in one line, for a stack with a problem that an earlier stack reported in full. */
export function asOneLine({ first, objects }: Group, stack: string): string {
  const count = `${objects.length} ${objects.length === 1 ? "object" : "objects"} here`;
  const here = objects.length === 0 ? "" : ` (${count}: ${listNames(objects)})`;
  const severity = first.severity === "error" ? "Error" : "Warning";
  const summary = first.summary.replace(/\.$/, "");
  return `${severity}: ${summary}, as in the stack "${stack}"${here}`;
}

function listNames(objects: readonly string[]): string {
  const rest = objects.length > MAX_NAMES ? ` and ${objects.length - MAX_NAMES} more` : "";
  return `${objects.slice(0, MAX_NAMES).join(", ")}${rest}`;
}
