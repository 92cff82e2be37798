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
  unlock: "steward state unlock",
};

/** The command of an action, as users of this program type it; nothing where it is a block. */
export const stewardCommand = (action: DiagnosticAction, address: string | undefined): string | undefined =>
  actionCommand(withoutBlock(action), NAMES, address);

/** This program has a command where Terraform takes a block: it needs no declaration in the configuration. */
const withoutBlock = (action: DiagnosticAction): DiagnosticAction =>
  action.kind === "letGo" || action.kind === "removed" ? { kind: "stateRm" } : action;

const stewardAction: WriteAction = (action, address) => {
  if (action.kind === "moved") {
    const { block, call } = declaredMove(action);
    return { lines: [...block.map((line) => `  ${line}`), "", `With cdktf: ${call}.`] };
  }
  return {
    ...(action.kind === "letGo" && { sentence: LET_GO }),
    lines: [`  ${stewardCommand(action, address)}`],
  };
};

const LET_GO =
  "To go on without this object, take its declaration out of the code and drop it from the state with this command, " +
  "which leaves the service as it is.";

/** The detail of a diagnostic, with what fixes the problem below it. */
export const detailOf = (diagnostic: Pick<Diagnostic, "detail" | "action" | "address">): string =>
  fullDetail(diagnostic, stewardAction);
