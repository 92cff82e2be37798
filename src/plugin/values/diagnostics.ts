import {
  type ActionText,
  actionCommand,
  type CommandNames,
  type Diagnostic,
  type DiagnosticAction,
  DiagnosticError,
  type DiagnosticPath,
  declaredMove,
  error,
  formatPath,
  fullDetail,
  type WriteAction,
} from "../../diagnostics";
import type { Attributes } from "../../schema";
import { oneLine } from "../../text";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";

const NAMES: CommandNames = {
  import: "terraform import",
  stateRm: "terraform state rm",
  move: "terraform state mv",
  plan: "terraform plan",
  apply: "terraform apply",
  migrate: "terraform init -migrate-state",
  unlock: "terraform force-unlock",
  list: "terraform state list",
  types: "terraform providers schema -json",
  show: "terraform show",
  other: "",
};

/** Formats an action as a command or a block for users of Terraform and OpenTofu. */
export const terraformAction: WriteAction = (action, address): ActionText => {
  switch (action.kind) {
    case "moved":
      return { lines: declareMove(action) };
    case "removed":
      return { lines: forgetAddress(action) };
    case "forget":
      // Terraform does not read an object that a `removed` block names, so the plan of this object succeeds.
      return {
        sentence:
          "To continue without this object, replace its declaration with a block that removes it from the state, without " +
          "reading or changing it on the service:",
        lines: removedBlock(`${action.type}.NAME`),
      };
    default:
      return { lines: [command(action, address)] };
  }
};

const command = (action: DiagnosticAction, address?: string): string =>
  `  ${actionCommand(action, NAMES, address)}`;

/** Returns the lines of a `removed` block, which removes the object from the state and leaves it on the service. */
const removedBlock = (from: string): string[] => [
  "removed {",
  `  from = ${from}`,
  "",
  "  lifecycle {",
  "    destroy = false",
  "  }",
  "}",
];

function declareMove(action: Extract<DiagnosticAction, { kind: "moved" }>): string[] {
  const { block, call } = declaredMove(action);
  return [
    ...block,
    "",
    "With cdktf:",
    "",
    `  ${call}`,
    "",
    "If elements of a count list have shifted, declare them with for_each and a moved block for each, or move each with " +
      "`terraform state mv`, first the undeclared one. To destroy everything anyway:",
    "",
    "  terraform destroy -refresh=false",
    "",
  ];
}

function forgetAddress({ type, id }: Extract<DiagnosticAction, { kind: "removed" }>): string[] {
  return [
    ...removedBlock(`${type}.OLD`),
    "",
    "With cdktf:",
    "",
    `  stack.addOverride("removed", [{ from: "${type}.OLD", lifecycle: { destroy: false } }])`,
    "",
    "For one instance of several:",
    "",
    command({ kind: "stateRm", address: `${type}.OLD[0]` }),
    ...(id === undefined
      ? []
      : [
          "",
          "For a deposed object and the current one of the same address:",
          "",
          command({ kind: "stateRm", address: `${type}.NAME` }),
          command({ kind: "import", address: `${type}.NAME`, id }),
        ]),
    "",
  ];
}

type ProtocolStep = Sent<Messages["AttributePath.Step"]>;

/**
 * Returns the part of a path that Terraform can point at: an attribute, or an element of a list or a map. Terraform can't point
 * at an element of a set, and does not find attributes within an element.
 */
function pointablePath(attributes: Attributes, path: DiagnosticPath): DiagnosticPath {
  const [name, element] = path;
  if (name === undefined) return [];
  const type = attributes[String(name)]?.type;
  const isAddressable = type?.kind === "list" || type?.kind === "map";
  return element !== undefined && isAddressable ? [name, element] : [name];
}

/** Returns a path in the protocol's form. */
export const writePath = (attributes: Attributes, path: DiagnosticPath): Sent<Messages["AttributePath"]> => ({
  steps: pointablePath(attributes, path).map((step, depth): ProtocolStep => {
    if (depth === 0) return { attributeName: String(step) };
    return typeof step === "number" ? { elementKeyInt: step } : { elementKeyString: String(step) };
  }),
});

/** Returns a diagnostic in the protocol's form. If Terraform can't point at the complete path, the detail names the path. */
export function writeDiagnostic(
  attributes: Attributes,
  diagnostic: Diagnostic,
): Sent<Messages["Diagnostic"]> {
  const { severity, summary, attribute = [] } = diagnostic;
  const detail = fullDetail(diagnostic, terraformAction);
  const leaf = formatPath(attribute);
  const hasPath = pointablePath(attributes, attribute).length === attribute.length || detail.includes(leaf);
  return {
    severity: severity === "error" ? "ERROR" : "WARNING",
    summary: oneLine(summary),
    detail: hasPath ? detail : `${oneLine(leaf)}: ${detail}`,
    ...(attribute.length > 0 && { attribute: writePath(attributes, attribute) }),
  };
}

/** Returns the diagnostics of a thrown value. Any value except a DiagnosticError is an internal error. */
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
