import type { PlantedFault } from "./planted-fault";
import { NO_FAULTS } from "./planted-faults";

export interface Verdict {
  readonly fault: PlantedFault;
  /** The story or seed that found the fault. Undefined if no story or seed found the fault. */
  readonly by: string | undefined;
  /** True if all stories for this fault were played. False if the run was stopped before. */
  readonly isPlayed: boolean;
}

/** The number of random stories that `npm test` plays. */
const QUICK = 80;

/** Returns true if `npm test` finds the fault: with a story that explains a rule, or with one of its seeds. */
function isQuick({ by }: Verdict): boolean {
  const seed = /\(seed (\d+)\)$/.exec(by ?? "")?.[1];
  return by !== undefined && (seed === undefined || Number(seed) <= QUICK);
}

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`;

/** Returns the results as a sentence, and as a page of documentation. */
export function tableOf(
  verdicts: readonly Verdict[],
  runs: number,
): { readonly summary: string; readonly page: string } {
  const found = verdicts.filter(({ by }) => by !== undefined).length;
  const quick = verdicts.filter(isQuick).length;
  const all = verdicts.length;
  const played = verdicts.filter(({ isPlayed }) => isPlayed).length;
  const isPart =
    played < all ? ` It was stopped before the last ${all - played} were played to the end.` : "";
  const summary =
    `The simulator finds ${found} of ${all} planted faults (${percent(found, all)}) by its stories and ${runs} seeds; ` +
    `\`npm test\` with ${QUICK} seeds finds ${quick} (${percent(quick, all)}).${isPart}`;
  const rows = verdicts
    .toSorted((one, other) => {
      if (one.fault.area < other.fault.area) return -1;
      return one.fault.area > other.fault.area ? 1 : 0;
    })
    .map(
      ({ fault, by, isPlayed }) =>
        `| ${fault.area} | ${fault.fault} | ${(by ?? (isPlayed ? "**not found**" : "not played")).replaceAll("|", "\\|")} |`,
    );
  const page = [
    "# Planted faults",
    "`npm run mutants` plants these faults into the sources, one at a time, and the simulator plays the stories of rules and random stories. It writes this page.",
    summary,
    ["| Area | Fault | Found by |", "|---|---|---|", ...rows].join("\n"),
    `Planted changes that are not faults:\n${NO_FAULTS.map(([what, why]) => `\n- ${what}: ${why}.`).join("")}`,
    "",
  ].join("\n\n");
  return { summary, page: page.replace(/\n+$/, "\n") };
}

/** Reads the page of an earlier run. Returns the story or seed that found each fault. */
export function hintsOf(page: string): ReadonlyMap<string, string> {
  const rows = [...page.matchAll(/^\| \S+ \| (.*?) \| .*?\((?:"(.*)"|(seed \d+))\) \|$/gm)];
  return new Map(rows.map(([, fault, rule, seed]) => [fault!, rule ?? seed!]));
}
