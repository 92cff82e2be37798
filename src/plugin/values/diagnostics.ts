import { type Diagnostic, DiagnosticError, error, formatPath, fullDetail } from "../../diagnostics";
import type { Attributes } from "../../schema";
import { oneLine } from "../../text";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import { terraformAction } from "./action";
import { pointablePath, writePath } from "./attribute-path";

/**
 * A diagnostic in the protocol's form. If Terraform can't point at the complete path, the detail names it.
 */
export function writeDiagnostic(
  attributes: Attributes,
  diagnostic: Diagnostic,
): Sent<Messages["Diagnostic"]> {
  const { severity, summary, attribute = [] } = diagnostic;
  const detail = fullDetail(diagnostic, terraformAction);
  const leaf = formatPath(attribute);
  const namesPath = pointablePath(attributes, attribute).length === attribute.length || detail.includes(leaf);
  return {
    severity: severity === "error" ? "ERROR" : "WARNING",
    summary: oneLine(summary),
    detail: namesPath ? detail : `${oneLine(leaf)}: ${detail}`,
    ...(attribute.length > 0 && { attribute: writePath(attributes, attribute) }),
  };
}

/** The diagnostics of a thrown value; anything but a DiagnosticError is an internal error. */
export function diagnosticsOf(problem: unknown): readonly Diagnostic[] {
  if (problem instanceof DiagnosticError) return problem.diagnostics;
  const message = problem instanceof Error ? problem.message : String(problem);
  return [
    error({
      code: "internal_error",
      summary: "Internal error",
      detail: [
        `The provider failed unexpectedly: ${message}`,
        "This is not caused by your configuration. Please report it, with the log that Terraform " +
          "writes under TF_LOG=debug.",
      ],
    }),
  ];
}
