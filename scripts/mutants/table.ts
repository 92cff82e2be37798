import type { PlantedFault } from "./planted-fault";

export interface Verdict {
  readonly fault: PlantedFault;
  /** What found it; undefined if nothing did. */
  readonly by: string | undefined;
}

/** Random stories of each `npm test`. */
const QUICK = 250;

/** Whether `npm test` finds it: by a story that explains a rule, or by one of its seeds. */
function isQuick({ by }: Verdict): boolean {
  const seed = /\(seed (\d+)\)$/.exec(by ?? "")?.[1];
  return by !== undefined && (seed === undefined || Number(seed) <= QUICK);
}

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`;

/** What was found, in a sentence and as a page of the documentation. */
export function tableOf(
  verdicts: readonly Verdict[],
  runs: number,
): { readonly summary: string; readonly page: string } {
  const found = verdicts.filter(({ by }) => by !== undefined).length;
  const quick = verdicts.filter(isQuick).length;
  const all = verdicts.length;
  const summary =
    `The simulator finds ${found} of ${all} planted faults (${percent(found, all)}) by its stories and ${runs} seeds; ` +
    `those of \`npm test\`, with ${QUICK} seeds, find ${quick} (${percent(quick, all)}).`;
  const rows = verdicts
    .toSorted((one, other) =>
      one.fault.area < other.fault.area ? -1 : one.fault.area > other.fault.area ? 1 : 0,
    )
    .map(
      ({ fault, by }) =>
        `| ${fault.area} | ${fault.fault} | ${(by ?? "**not found**").replaceAll("|", "\\|")} |`,
    );
  const page = [
    "# Planted faults",
    "`npm run mutants` plants each of these faults alone into the sources and lets the simulator play: the stories that explain a rule, those of known faults, and random ones. It writes this page.",
    summary,
    ["| Area | Fault | Found by |", "|---|---|---|", ...rows].join("\n"),
    "",
  ].join("\n\n");
  return { summary, page: page.replace(/\n+$/, "\n") };
}

/** The stories and seeds that found faults, by the page of an earlier run. */
export function hintsOf(page: string): ReadonlyMap<string, string> {
  const rows = [...page.matchAll(/^\| \S+ \| (.*?) \| .*?\((?:"(.*)"|(seed \d+))\) \|$/gm)];
  return new Map(rows.map(([, fault, rule, seed]) => [fault!, rule ?? seed!]));
}
