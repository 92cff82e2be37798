import { type Diagnostic, error } from "../../diagnostics";

/** The diagnostic for an unexpected exception. */
export const internalError = (problem: unknown, address?: string): Diagnostic =>
  error({
    code: "internal_error",
    summary: "Internal error",
    detail:
      `An unexpected problem occurred: ${problem instanceof Error ? problem.message : String(problem)}. ` +
      "This is a bug in Steward, not in your configuration. Please report it with the output of STEWARD_LOG=debug.",
    ...(address !== undefined && { address }),
  });
