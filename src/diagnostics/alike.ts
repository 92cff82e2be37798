/** The fields of a diagnostic by which similar warnings are grouped. */
interface Warned {
  readonly severity: string;
  readonly code: string;
  readonly summary: string;
}

/** Warnings with one code and summary are shown as a group if there are at least this many. */
const MIN_ALIKE = 3;

/**
 * Groups warnings with one code and summary, if there are enough such warnings. Each error forms a separate group. The
 * order follows the first warning of each group.
 */
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
