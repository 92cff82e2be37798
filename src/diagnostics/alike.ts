/** The parts of a diagnostic that make warnings alike. */
interface Warned {
  readonly severity: string;
  readonly code: string;
  readonly summary: string;
}

/** From this number on, warnings of one code and summary are shown together. */
const MIN_ALIKE = 3;

/** Groups warnings of one code and summary, if there are several. Each error is its own group. The order is that of the first warnings. */
export function groupAlike<T>(all: readonly T[], diagnosticOf: (one: T) => Warned): readonly T[][] {
  const groups = new Map<unknown, T[]>();
  for (const one of all) {
    const { severity, code, summary } = diagnosticOf(one);
    const key = severity === "warning" ? `${code} ${summary}` : one;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].flatMap((alike) =>
    alike.length < MIN_ALIKE ? alike.map((one) => [one]) : [alike],
  );
}
