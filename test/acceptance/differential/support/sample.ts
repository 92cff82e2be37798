import { seed } from "../../../support/capabilities";
import type { Batch } from "./batch";

/** Returns the batch of the cases that share a run, and some separate batches. The seed selects these batches. */
export function sampleOf(
  all: readonly Batch[],
  alone: number,
): readonly { readonly title: string; readonly batch: Batch }[] {
  const shared = all.filter(({ cases }) => cases.length > 1);
  const single = all.filter(({ cases }) => cases.length === 1);
  const first = single.length === 0 ? 0 : seed % single.length;
  const chosen = [...single.slice(first), ...single.slice(0, first)].slice(0, alone);
  return [...shared, ...chosen].map((batch) => ({ title: titleOf(batch), batch }));
}

const titleOf = ({ cases }: Batch): string =>
  cases.length === 1 ? `alone: ${cases[0]!.name}` : `together: ${cases.length} cases`;
