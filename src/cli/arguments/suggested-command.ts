import {
  actionCommand,
  type CommandNames,
  type Diagnostic,
  type DiagnosticAction,
  declaredMove,
  fullDetail,
  type WriteAction,
} from "../../diagnostics";
import { shellWord } from "../../text";
import type { NamedSource } from "../terminal/terminal";

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
 * The suggested commands that repeat options of the run, such as `--config` and `--state`. All other suggested commands name
 * their files themselves, or need no stack.
 */
const OF_STACKS = ["import", "stateRm", "move", "plan", "apply", "unlock", "list"] as const;

/**
 * Returns the options that a suggested command repeats.
 *
 * @param isBetweenStacks true for a move between stacks. The command then has no `--state`, because the configurations of the
 * stacks say where the states are
 */
export function repeatedSource(source: NamedSource, isBetweenStacks = false): readonly string[] {
  const { config, app, output, state } = source;
  const repeated = isBetweenStacks ? { app, output } : { config, app, output, state };
  return Object.entries(repeated).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}

function namesFor(options: readonly string[]): CommandNames {
  if (options.length === 0) return NAMES;
  const text = options.map(shellWord).join(" ");
  return { ...NAMES, ...Object.fromEntries(OF_STACKS.map((kind) => [kind, `${NAMES[kind]} ${text}`])) };
}

/** Returns the `steward` command for an action, as users enter it. Returns undefined if the action is a configuration block. */
export function stewardCommand(
  action: DiagnosticAction,
  address: string | undefined,
  source: NamedSource = {},
): string | undefined {
  const isBetweenStacks =
    action.kind === "moveAll" || (action.kind === "move" && action.stacks !== undefined);
  const names = namesFor(repeatedSource(source, isBetweenStacks));
  return actionCommand(withoutStack(preferCommand(action), source), names, address);
}

/** Removes the stack from an action if the run has `--config`, because `--config` excludes `--stack`. */
function withoutStack(action: DiagnosticAction, { config }: NamedSource): DiagnosticAction {
  if (config === undefined || !("stack" in action)) return action;
  const { stack: _, ...others } = action;
  return others;
}

/**
 * Suggests `state rm` instead of a `removed` block, which only Terraform needs. `state rm` removes the object from the state
 * without a change of the configuration.
 */
const preferCommand = (action: DiagnosticAction): DiagnosticAction =>
  action.kind === "forget" || action.kind === "removed" ? { kind: "stateRm" } : action;

const writeAction =
  (source: NamedSource): WriteAction =>
  (action, address) => {
    if (action.kind === "moved") {
      const { block, call } = declaredMove(action);
      return { lines: [...block.map((line) => `  ${line}`), "", `With cdktf: ${call}.`] };
    }
    return {
      ...(action.kind === "forget" && { sentence: STATE_RM_SENTENCE }),
      ...(action.kind === "stateRmAll" && { sentence: STATE_RM_ALL_SENTENCE }),
      lines: [`  ${stewardCommand(action, address, source)}`],
    };
  };

const STATE_RM_ALL_SENTENCE =
  "To continue without these objects, delete their declarations and remove them from the state with this command, " +
  "which does not change the service.";

const STATE_RM_SENTENCE =
  "To continue without this object, delete its declaration and remove it from the state with this command, " +
  "which does not change the service.";

/** Returns the detail of a diagnostic, followed by the command or block that fixes the problem. */
export const detailOf = (
  diagnostic: Pick<Diagnostic, "detail" | "action" | "address">,
  source: NamedSource = {},
): string => fullDetail(diagnostic, writeAction(source));
