import { type Diagnostic, error, warning } from "../../diagnostics";
import type { NodeOutcome } from "../graph/walk";
import type { RunContext } from "../run/context";
import type { Restriction } from "../run/targets";
import type { ExecutablePlan } from "../steps/executable-plan";
import { isChange } from "../steps/steps";
import { destroyNode, resourceOf } from "./apply-graph";

/** One diagnostic for all changes that were not started: the run was interrupted, or a dependency failed. */
export function skippedChanges(
  { steps }: ExecutablePlan,
  outcomes: ReadonlyMap<string, NodeOutcome>,
  { stop, abort }: Pick<RunContext, "stop" | "abort">,
): Diagnostic[] {
  const addresses = steps
    .filter(isChange)
    .filter((step) => [resourceOf(step), destroyNode(step)].some((id) => outcomes.get(id) === "skipped"))
    .map(({ change }) => change.address);
  if (stop?.aborted) return [interrupted(addresses, abort?.aborted ?? false)];
  return addresses.length > 0 ? [dependencyFailed(addresses)] : [];
}

/** The warning after an apply of a restricted plan. */
export const targetingIncomplete = ({ option }: Restriction): Diagnostic =>
  warning({
    code: "targeting_incomplete",
    summary: "Applied changes may be incomplete",
    detail:
      `The plan was made with ${option}, so parts of the configuration may not have been applied. ` +
      "Run `steward plan` to see what remains.",
  });

const dependencyFailed = (addresses: readonly string[]): Diagnostic =>
  error({
    code: "dependency_failed",
    summary: "Skipped: a dependency failed",
    detail: `Nothing was sent for ${listed(addresses)}. Fix what failed, then run again.`,
  });

const COMPLETED = "Requests in flight were completed and saved.";
const ABANDONED =
  "Requests in flight were abandoned, but the service may still have carried them out: the next run checks.";

function interrupted(addresses: readonly string[], isAbandoned: boolean): Diagnostic {
  const left = addresses.length === 0 ? [] : [`Not begun: ${listed(addresses)}.`];
  const next =
    isAbandoned || addresses.length > 0 ? "Run the command again to continue." : "No changes remained.";
  return error({
    code: "interrupted",
    summary: "Interrupted",
    detail: [isAbandoned ? ABANDONED : COMPLETED, ...left, next].join(" "),
  });
}

function listed(addresses: readonly string[]): string {
  const shown = addresses.slice(0, 10).join(", ");
  return addresses.length > 10 ? `${shown} and ${addresses.length - 10} more` : shown;
}
