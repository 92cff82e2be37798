import { causeOf, type Diagnostic } from "../../diagnostics";
import { oneLine } from "../../text";

/** How many objects are named. */
const NAMED = 10;

/** Diagnostics of one cause: the first of them, with the objects that all of them concern. */
export interface Group {
  readonly cause: string | undefined;
  readonly first: Diagnostic;
  readonly objects: readonly string[];
}

/** Puts diagnostics of one cause together; each of the others is a group of its own. */
export function byCause(diagnostics: readonly Diagnostic[]): Group[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = causeOf(diagnostic) ?? JSON.stringify(diagnostic);
    groups.set(key, [...(groups.get(key) ?? []), diagnostic]);
  }
  return [...groups.values()].map((all) => ({
    cause: causeOf(all[0]!),
    first: all[0]!,
    objects: [...new Set(all.map(({ address, summary }) => oneLine(address ?? summary)))],
  }));
}

/** The first diagnostic of a cause in full, and with the objects that it concerns. */
export function inFull({ first, objects }: Group): Diagnostic {
  if (objects.length === 1) return first;
  return {
    ...first,
    detail: `${first.detail}\n\nThis affects ${objects.length} objects: ${named(objects)}.`,
  };
}

/** The same in one line, for a stack that meets what an earlier one was told in full. */
export function inOneLine({ first, objects }: Group, stack: string): string {
  const objectsHere = `${objects.length} ${objects.length === 1 ? "object" : "objects"} here`;
  const severity = first.severity === "error" ? "Error" : "Warning";
  const summary = first.summary.replace(/\.$/, "");
  return `${severity}: ${summary}, as in the stack "${stack}" (${objectsHere}: ${named(objects)})`;
}

function named(objects: readonly string[]): string {
  const rest = objects.length > NAMED ? ` and ${objects.length - NAMED} more` : "";
  return `${objects.slice(0, NAMED).join(", ")}${rest}`;
}
