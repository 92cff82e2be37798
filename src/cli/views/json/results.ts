import { suppressedSentence } from "../../drift/suppressed-sentence";
import { type Counts, doneSentence, planSentence, uncheckedSentence } from "../summary";
import { type JsonEvent, jsonEvent } from "./events";

/** What a run came to for one stack, counted. */
export interface Result {
  readonly of: "plan" | "apply" | "destroy" | "drift";
  readonly counts: Counts;
  readonly hasFailed: boolean;
}

/** The event that tells a result; by Terraform's `change_summary` where it has one. */
export function resultEvent({ of, counts, hasFailed }: Result): JsonEvent {
  if (of === "drift") {
    return jsonEvent("drift_summary", driftSentence(counts), { drift: counts });
  }
  const message = of === "plan" ? planSentence(counts) : doneSentence(of, counts, hasFailed);
  return jsonEvent("change_summary", message, { changes: { ...told(counts), operation: of } });
}

function driftSentence(counts: Counts): string {
  const { checked, changed = 0, vanished = 0, unmanaged, known = 0, ignored = 0 } = counts;
  const left = uncheckedSentence(counts);
  const objects = `${checked} ${checked === 1 ? "object" : "objects"} checked`;
  const isNothingNew = changed + vanished + (unmanaged ?? 0) === 0 && left === "";
  const words = isNothingNew ? suppressedSentence(known, ignored) : undefined;
  if (words !== undefined) return `${words}. ${objects}.`;
  const more = unmanaged === undefined ? "" : `, ${unmanaged} unmanaged`;
  return `Drift: ${changed} changed, ${vanished} vanished${more} (${objects}).${left}`;
}

/** Moves are told where there are any: Terraform has no count of them. */
const told = ({ move, ...counts }: Counts): Counts => (move ? { ...counts, move } : counts);

/** The sum over several stacks. Where some were applied, plans alone are not in it. */
export function total(results: readonly Result[]): Result | undefined {
  const of = results.find((result) => result.of !== "plan")?.of ?? results[0]?.of;
  if (of === undefined) return undefined;
  const counts: Record<string, number> = {};
  for (const result of results) {
    if (result.of !== of) continue;
    for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count;
  }
  return { of, counts, hasFailed: results.some((result) => result.hasFailed) };
}
