import { counted } from "../../../text";
import { type Counts, sumOf } from "../../document/stack-parts";
import { suppressedSentence } from "../../drift/finding-filter";
import type { Described } from "../run-view";
import { doneSentence, failedSentence, planSentence } from "../summary";
import { type JsonEvent, jsonEvent } from "./events";

/** The counts of a command for one stack. */
export interface Result extends Described {
  readonly of: "plan" | "apply" | "destroy" | "drift";
  readonly counts: Counts;
  readonly hasFailed: boolean;
  /** The requests that an apply would send, where they were asked for. */
  readonly requests?: readonly object[];
}

/** The event for a result. Terraform's `change_summary` if it has one. */
export function resultEvent({ of, counts, hasFailed, access, rights, requests }: Result): JsonEvent {
  if (of === "drift") {
    return jsonEvent("drift_summary", driftSentence(counts, hasFailed), { drift: counts, access });
  }
  const message = of === "plan" ? planSentence(counts) : doneSentence(of, counts, hasFailed);
  const changes = { ...withoutZeroMoves(counts), operation: of };
  return jsonEvent("change_summary", message, { changes, access, rights, requests });
}

function driftSentence(counts: Counts, hasFailed: boolean): string {
  const { checked = 0, changed = 0, vanished = 0, unmanaged, known = 0, ignored = 0 } = counts;
  const failedPart = failedSentence(counts);
  const objects = `${counted(checked, "object")} checked`;
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
 * @param described what all stacks change and need together
 */
export function total(
  results: readonly Result[],
  hasFailures: boolean,
  described: Described,
): Result | undefined {
  const of = results.find((result) => result.of !== "plan")?.of ?? results[0]?.of;
  if (of === undefined) return undefined;
  const own = results.filter((result) => result.of === of);
  const requests = own.flatMap((result) => result.requests ?? []);
  return {
    of,
    counts: sumOf(own.map(({ counts }) => counts)),
    hasFailed: hasFailures || results.some((result) => result.hasFailed),
    ...described,
    ...(results.some((result) => result.requests !== undefined) && { requests }),
  };
}
