import { type Diagnostic, error } from "../../diagnostics";

/** The diagnostic for an unexpected exception. */
export const internalError = (problem: unknown, address?: string): Diagnostic =>
  error({
    code: "internal_error",
    summary: "Internal error",
    detail:
      `An unexpected problem occurred: ${problem instanceof Error ? problem.message : String(problem)}. ` +
      "Your configuration is not the cause. Please report it with the log of STEWARD_LOG=debug.",
    ...(address !== undefined && { address }),
  });
