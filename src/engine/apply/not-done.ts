import { type Diagnostic, error, warning } from "../../diagnostics";
import type { Outcome } from "../graph/walk";
import type { RunContext } from "../run/context";
import type { ExecutablePlan } from "../steps/executable-plan";
import { isChange } from "../steps/steps";
import { destroyNode, resourceOf } from "./apply-graph";

/** One diagnostic for all changes that were not begun, and why. */
export function notDone(
  { steps }: ExecutablePlan,
  outcomes: ReadonlyMap<string, Outcome>,
  { stop, abort }: Pick<RunContext, "stop" | "abort">,
): Diagnostic[] {
  const addresses = steps
    .filter(isChange)
    .filter((step) => [resourceOf(step), destroyNode(step)].some((id) => outcomes.get(id) === "skipped"))
    .map(({ change }) => change.address);
  if (stop?.aborted) return [interrupted(addresses, abort?.aborted ?? false)];
  return addresses.length > 0 ? [waiting(addresses)] : [];
}

/** What is told after an apply with `--target`. */
export const incomplete = (): Diagnostic =>
  warning({
    code: "targeting_incomplete",
    summary: "Applied changes may be incomplete",
    detail:
      "The plan was made with --target, so that some of what the configuration declares may not have been applied. " +
      "Run `steward plan` to see what is left.",
  });

const waiting = (addresses: readonly string[]): Diagnostic =>
  error({
    code: "dependency_failed",
    summary: "Not done, because something before it failed",
    detail: `Nothing was sent for ${listed(addresses)}. Mend what failed, and run again.`,
  });

const FINISHED = "What was under way was finished and saved.";
const GIVEN_UP =
  "What was under way was given up, and may have been done all the same: the next run looks what became of it.";

function interrupted(addresses: readonly string[], gaveUp: boolean): Diagnostic {
  const left = addresses.length === 0 ? [] : [`Not begun: ${listed(addresses)}.`];
  const next = gaveUp || addresses.length > 0 ? "Run the command again to go on." : "Nothing was left to do.";
  return error({
    code: "interrupted",
    summary: "Interrupted",
    detail: [gaveUp ? GIVEN_UP : FINISHED, ...left, next].join(" "),
  });
}

function listed(addresses: readonly string[]): string {
  const shown = addresses.slice(0, 10).join(", ");
  return addresses.length > 10 ? `${shown} and ${addresses.length - 10} more` : shown;
}
