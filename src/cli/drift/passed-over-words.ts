const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What to say where everything that was found is passed over; nothing where nothing was. No full stop. */
export function passedOverWords(known: number, ignored: number): string | undefined {
  if (known === 0 && ignored === 0) return undefined;
  if (known === 0) return `${counted(ignored, "difference")} ignored, no others`;
  const beside = ignored === 0 ? "" : ` and ${ignored} ignored`;
  return `${counted(known, "difference")} known from the earlier run${beside}, no new ones`;
}
