import { type Diagnostic, error } from "../../diagnostics";

/** The error of a run that was interrupted before all objects were read. */
export const interruptedRead = (): Diagnostic =>
  error({
    code: "interrupted",
    summary: "Interrupted",
    detail: "The run was interrupted before every object was checked. Run the command again.",
  });
