import { causeOf, type Diagnostic } from "../../diagnostics";

/** How many objects are named. */
const NAMED = 10;

/** Tells each cause once: with the first diagnostic of it in full, and with the objects that it concerns. */
export function grouped(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const causes = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = causeOf(diagnostic) ?? JSON.stringify(diagnostic);
    causes.set(key, [...(causes.get(key) ?? []), diagnostic]);
  }
  return [...causes.values()].map(([first, ...others]) => withObjects(first!, others));
}

function withObjects(first: Diagnostic, others: readonly Diagnostic[]): Diagnostic {
  const names = [...new Set([first, ...others].map(({ address, summary }) => address ?? summary))];
  if (names.length === 1) return first;
  const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const concerned = `It concerns ${names.length} objects: ${names.slice(0, NAMED).join(", ")}${rest}.`;
  return { ...first, detail: `${first.detail}\n\n${concerned}` };
}
