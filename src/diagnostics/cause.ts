import type { ErrorCode } from "./codes";
import type { Diagnostic } from "./diagnostic";

/** What is wrong with the run as a whole, though every object meets it. */
const WHOLE_RUN_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unauthorized",
  "insufficient_scope",
  "unreachable",
  "no_api",
  "service_unavailable",
  "cancelled",
]);

/** A text that is equal for diagnostics of one cause, whatever object met it; nothing where each has its own. */
export function causeOf({ severity, code, cause }: Diagnostic): string | undefined {
  if (cause === undefined && !WHOLE_RUN_CODES.has(code)) return undefined;
  return `${severity} ${code} ${cause ?? ""}`;
}
