import type { ApplyArguments } from "../arguments/apply";
import { openPolicies } from "../policy/policies";
import { reportObservers } from "../reports/collector";
import type { Terminal } from "../terminal/terminal";

/**
 * How an apply, or a destroy, goes over the stacks, and what checks and reports it.
 *
 * @param config the configuration in place of an app, if there is one: no program runs then that a file names
 */
export function applyRun(
  args: ApplyArguments,
  terminal: Terminal,
  isDestroy = args.mode === "destroy",
  config = args.config,
) {
  const command = isDestroy ? "destroy" : "apply";
  const observers = reportObservers(command, args, terminal);
  const policies = openPolicies(args, terminal, config === undefined ? undefined : "--config");
  return { policies, observers, locksFor: command, reversed: isDestroy, compares: true, waits: true };
}
