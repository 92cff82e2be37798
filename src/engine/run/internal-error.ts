import { type Diagnostic, error } from "../../diagnostics";

/** What is reported of an exception that nobody expected. */
export const internalError = (problem: unknown, address?: string): Diagnostic =>
  error({
    code: "internal_error",
    summary: "Internal error",
    detail:
      `An unexpected problem occurred: ${problem instanceof Error ? problem.message : String(problem)}. ` +
      "Your configuration is not the cause. Please report it with the log of STEWARD_LOG=debug.",
    ...(address !== undefined && { address }),
  });
