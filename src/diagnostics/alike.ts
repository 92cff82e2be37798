/** The fields of a diagnostic by which similar warnings are grouped. */
interface Warned {
  readonly severity: string;
  readonly code: string;
  readonly summary: string;
}

/** The minimum number of warnings with one code and summary for which these warnings are shown as a group. */
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
