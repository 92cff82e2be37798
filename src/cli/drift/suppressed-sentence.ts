const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A sentence for runs whose findings are all suppressed; undefined otherwise. No full stop. */
export function suppressedSentence(known: number, ignored: number): string | undefined {
  if (known === 0 && ignored === 0) return undefined;
  if (known === 0) return `${counted(ignored, "difference")} ignored, no others`;
  const ignoredPart = ignored === 0 ? "" : ` and ${ignored} ignored`;
  return `${counted(known, "difference")} known from the earlier run${ignoredPart}, no new ones`;
}
