import {
  actionCommand,
  type CommandNames,
  type Diagnostic,
  type DiagnosticAction,
  declaredMove,
  fullDetail,
  type WriteAction,
} from "../../diagnostics";

const NAMES: CommandNames = {
  import: "steward import",
  stateRm: "steward state rm",
  move: "steward state mv",
  plan: "steward plan",
  apply: "steward apply",
  migrate: "steward state migrate",
  unlock: "steward state unlock",
  list: "steward state list",
  types: "steward schema",
  show: "steward show",
  other: "steward exec -- ",
};

/**
 * The command for an action, as users of this program enter it. Undefined if the action is a configuration
 * block.
 */
export const stewardCommand = (action: DiagnosticAction, address: string | undefined): string | undefined =>
  actionCommand(preferCommand(action), NAMES, address);

/** Terraform needs a `removed` block here. This program has a command that needs no change of the configuration. */
const preferCommand = (action: DiagnosticAction): DiagnosticAction =>
  action.kind === "forget" || action.kind === "removed" ? { kind: "stateRm" } : action;

const stewardAction: WriteAction = (action, address) => {
  if (action.kind === "moved") {
    const { block, call } = declaredMove(action);
    return { lines: [...block.map((line) => `  ${line}`), "", `With cdktf: ${call}.`] };
  }
  return {
    ...(action.kind === "forget" && { sentence: STATE_RM_SENTENCE }),
    ...(action.kind === "stateRmAll" && { sentence: STATE_RM_ALL_SENTENCE }),
    lines: [`  ${stewardCommand(action, address)}`],
  };
};

const STATE_RM_ALL_SENTENCE =
  "To continue without these objects, delete their declarations and remove them from the state with this command, " +
  "which does not change the service.";

const STATE_RM_SENTENCE =
  "To continue without this object, delete its declaration and remove it from the state with this command, " +
  "which does not change the service.";

/** The detail of a diagnostic, followed by the command or block that fixes the problem. */
export const detailOf = (diagnostic: Pick<Diagnostic, "detail" | "action" | "address">): string =>
  fullDetail(diagnostic, stewardAction);
