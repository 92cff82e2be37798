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

/** The error of a run that was interrupted before all objects were read. */
export const interruptedRead = (): Diagnostic =>
  error({
    code: "interrupted",
    summary: "Interrupted",
    detail: "The run was interrupted before every object was checked. Run the command again.",
  });
