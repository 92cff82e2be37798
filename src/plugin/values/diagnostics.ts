import { type Diagnostic, DiagnosticError, error, formatPath, fullDetail } from "../../diagnostics";
import type { Attributes } from "../../schema";
import { oneLine } from "../../text";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import { terraformAction } from "./action";
import { pointablePath, writePath } from "./attribute-path";

/** A diagnostic as the protocol has it. Where the path says more than Terraform can point at, the text says it. */
export function writeDiagnostic(
  attributes: Attributes,
  diagnostic: Diagnostic,
): Sent<Messages["Diagnostic"]> {
  const { severity, summary, attribute = [] } = diagnostic;
  const detail = fullDetail(diagnostic, terraformAction);
  const leaf = formatPath(attribute);
  const isNamed = pointablePath(attributes, attribute).length === attribute.length || detail.includes(leaf);
  return {
    severity: severity === "error" ? "ERROR" : "WARNING",
    summary: oneLine(summary),
    detail: isNamed ? detail : `${oneLine(leaf)}: ${detail}`,
    ...(attribute.length > 0 && { attribute: writePath(attributes, attribute) }),
  };
}

/** What is told of something thrown: its own diagnostics, or that it is a fault of the provider. */
export function diagnosticsOf(problem: unknown): readonly Diagnostic[] {
  if (problem instanceof DiagnosticError) return problem.diagnostics;
  const message = problem instanceof Error ? problem.message : String(problem);
  return [
    error({
      code: "internal_error",
      summary: "Fault of the provider",
      detail: [
        `The provider met something that it didn't expect: ${message}`,
        "This is no fault of your configuration. Please report it, with what Terraform writes under TF_LOG=debug.",
      ],
    }),
  ];
}
