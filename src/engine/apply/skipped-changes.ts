import { type Diagnostic, error, warning } from "../../diagnostics";
import { allUpTo } from "../../text";
import type { Restriction } from "../stack-run/context";

/**
 * Returns one diagnostic for all changes that did not start because the run was interrupted or a dependency failed.
 *
 * @param addresses the addresses of these changes
 */
export function skippedChanges(
  addresses: readonly string[],
  stop: AbortSignal | undefined,
  abort: AbortSignal | undefined,
): Diagnostic[] {
  if (stop?.aborted) return [interrupted(addresses, abort?.aborted ?? false)];
  return addresses.length > 0 ? [dependencyFailed(addresses)] : [];
}

/** Returns the warning after an apply of a restricted plan. */
export const targetingIncomplete = ({ option }: Restriction): Diagnostic =>
  warning({
    code: "targeting_incomplete",
    summary: "Applied changes may be incomplete",
    detail: `Because of ${option}, parts of the configuration may not be applied yet. To see the rest, plan again.`,
    action: { kind: "plan" },
  });

const dependencyFailed = (addresses: readonly string[]): Diagnostic =>
  error({
    code: "dependency_failed",
    summary: "Skipped: a dependency failed",
    detail: `Nothing was sent for ${allUpTo(MAX_NAMED, addresses)}, because another change failed. Fix the other errors, then run again.`,
  });

/** Maximum number of addresses that a message names. */
const MAX_NAMED = 10;

const COMPLETED = "Requests in flight were completed and saved.";
const ABANDONED =
  "Requests in flight were abandoned. The service may have executed them. The next run checks that.";

function interrupted(addresses: readonly string[], isAbandoned: boolean): Diagnostic {
  const left = addresses.length === 0 ? [] : [`Nothing was sent for ${allUpTo(MAX_NAMED, addresses)}.`];
  const next =
    isAbandoned || addresses.length > 0 ? "Run the command again to continue." : "No changes remained.";
  return error({
    code: "interrupted",
    summary: "Interrupted",
    detail: [isAbandoned ? ABANDONED : COMPLETED, ...left, next].join(" "),
  });
}
