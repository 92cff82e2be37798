import type { Counts } from "../../document/totals";
import { suppressedSentence } from "../../drift/suppressed-sentence";
import { mergeAccess, type StackAccess } from "../merge-access";
import { mergeRights, type StackRights } from "../merge-rights";
import { doneSentence, failedSentence, planSentence } from "../summary";
import { accessJson, rightsJson } from "./access";
import { type JsonEvent, jsonEvent } from "./events";

/** The counts of a command for one stack. */
export interface Result {
  readonly of: "plan" | "apply" | "destroy" | "drift";
  readonly counts: Counts;
  readonly hasFailed: boolean;
  /** Who gains and who loses access by a plan, where it was asked for. */
  readonly access?: readonly StackAccess[];
  /** What a token needs to apply the plan, where it was asked for. */
  readonly rights?: readonly StackRights[];
  /** The requests that an apply would send, where they were asked for. */
  readonly requests?: readonly object[];
}

/** The event for a result. Terraform's `change_summary` if it has one. */
export function resultEvent({ of, counts, hasFailed, access, rights, requests }: Result): JsonEvent {
  if (of === "drift") {
    return jsonEvent("drift_summary", driftSentence(counts, hasFailed), {
      drift: counts,
      ...(access !== undefined && { access: accessJson(mergeAccess(access)) }),
    });
  }
  const message = of === "plan" ? planSentence(counts) : doneSentence(of, counts, hasFailed);
  return jsonEvent("change_summary", message, {
    changes: { ...withoutZeroMoves(counts), operation: of },
    ...(access !== undefined && { access: accessJson(mergeAccess(access)) }),
    ...(rights !== undefined && { rights: rightsJson(mergeRights(rights)) }),
    ...(requests !== undefined && { requests }),
  });
}

function driftSentence(counts: Counts, hasFailed: boolean): string {
  const { checked = 0, changed = 0, vanished = 0, unmanaged, known = 0, ignored = 0 } = counts;
  const failedPart = failedSentence(counts);
  const objects = `${checked} ${checked === 1 ? "object" : "objects"} checked`;
  const hasNoFindings = changed + vanished + (unmanaged ?? 0) === 0 && failedPart === "" && !hasFailed;
  const suppressedPart = hasNoFindings ? suppressedSentence(known, ignored) : undefined;
  if (suppressedPart !== undefined) return `${suppressedPart}. ${objects}.`;
  const unmanagedPart = unmanaged === undefined ? "" : `, ${unmanaged} unmanaged`;
  return `Drift: ${changed} changed, ${vanished} vanished${unmanagedPart} (${objects}).${failedPart}`;
}

/** Terraform has no count of moves, so it is left out when there are none. */
const withoutZeroMoves = ({ move, ...counts }: Counts): Counts => (move ? { ...counts, move } : counts);

/**
 * The total over several stacks. If some were applied, those that were only planned do not count.
 *
 * @param hasFailures whether a stack has an error, also one without a result
 */
export function total(results: readonly Result[], hasFailures: boolean): Result | undefined {
  const of = results.find((result) => result.of !== "plan")?.of ?? results[0]?.of;
  if (of === undefined) return undefined;
  const counts: Record<string, number> = {};
  for (const result of results) {
    if (result.of !== of) continue;
    for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count;
  }
  const told = results.filter((result) => result.of === of);
  return {
    of,
    counts,
    hasFailed: hasFailures || results.some((result) => result.hasFailed),
    ...joined("access", told),
    ...joined("rights", told),
    ...joined("requests", told),
  };
}

/** What several results describe, in one list; nothing if none does. */
const joined = (name: "access" | "rights" | "requests", results: readonly Result[]): Partial<Result> =>
  results.some((result) => result[name] !== undefined)
    ? { [name]: results.flatMap((result) => result[name] ?? []) }
    : {};
