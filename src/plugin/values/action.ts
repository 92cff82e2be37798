import {
  type ActionText,
  actionCommand,
  type CommandNames,
  type DiagnosticAction,
  declaredMove,
  type WriteAction,
} from "../../diagnostics";

const NAMES: CommandNames = {
  import: "terraform import",
  stateRm: "terraform state rm",
  move: "terraform state mv",
  plan: "terraform plan",
  apply: "terraform apply",
  migrate: "terraform init -migrate-state",
  unlock: "terraform force-unlock",
};

/** What users of Terraform and OpenTofu type, or write into their configuration. */
export const terraformAction: WriteAction = (action, address): ActionText => {
  switch (action.kind) {
    case "moved":
      return { lines: declareMove(action) };
    case "removed":
      return { lines: forgetAddress(action) };
    case "forget":
      // Terraform reads no object that such a block names, so its plan succeeds.
      return {
        sentence:
          "To go on without this object, put a block in the place of its declaration that makes Terraform forget it, without " +
          "reading it and without a change on the service:",
        lines: removedBlock(`${action.type}.NAME`),
      };
    default:
      return { lines: [command(action, address)] };
  }
};

const command = (action: DiagnosticAction, address?: string): string =>
  `  ${actionCommand(action, NAMES, address)}`;

/** The block that takes an object out of the state and leaves it on the service. */
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
    "Where elements of a count list have shifted, declare them by for_each, with a moved block for each; or move each by " +
      "`terraform state mv`, first the one that leaves. To destroy everything all the same:",
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
          "For a deposed object and the present one of the same address:",
          "",
          command({ kind: "stateRm", address: `${type}.NAME` }),
          command({ kind: "import", address: `${type}.NAME`, id }),
        ]),
    "",
  ];
}
