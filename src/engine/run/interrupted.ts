import { type Diagnostic, error } from "../../diagnostics";

/** The error of a run that was to look at everything, and was interrupted before it had. */
export const interruptedLook = (): Diagnostic =>
  error({
    code: "interrupted",
    summary: "Interrupted",
    detail: "The run was interrupted before every object was checked. Run the command again.",
  });
