import type { Diagnostic, ErrorCode } from "../../diagnostics";

/** What is wrong with the run as a whole, though every object meets it. */
const OF_THE_WHOLE_RUN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unauthorized",
  "unreachable",
  "service_unavailable",
  "cancelled",
]);

/** How many of the others are named. */
const NAMED = 5;

/** Tells once what every object met: with the first of them in full, and the others by name. */
export function grouped(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const firsts = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const { code, severity, summary } = diagnostic;
    const key = OF_THE_WHOLE_RUN.has(code) ? `${severity} ${code} ${summary}` : JSON.stringify(diagnostic);
    firsts.set(key, [...(firsts.get(key) ?? []), diagnostic]);
  }
  return [...firsts.values()].map(([first, ...others]) => withOthers(first!, others));
}

function withOthers(first: Diagnostic, others: readonly Diagnostic[]): Diagnostic {
  if (others.length === 0) return first;
  const names = others.slice(0, NAMED).map(({ address, summary }) => address ?? summary);
  const rest = others.length > NAMED ? ` and ${others.length - NAMED} more` : "";
  return { ...first, detail: `${first.detail}\n\nThe same happened to ${names.join(", ")}${rest}.` };
}
