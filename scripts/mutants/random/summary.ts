import type { Candidate } from "./candidates";
import { interval } from "./sample";

/** The verdict on one mutant. Each line of the record is one verdict. */
export interface Verdict {
  readonly index: number;
  readonly place: string;
  readonly change: string;
  readonly kind: Candidate["kind"];
  readonly verdict: "killed" | "survived" | "rejected";
  readonly by?: string;
  /** The number of suites that ran, and the number of all suites that run the changed code. */
  readonly suites?: string;
}

/**
 * Returns a summary: how many mutants were killed, survived or were rejected in each module, and the score with its
 * interval.
 */
export function summaryOf(verdicts: readonly Verdict[]): string {
  const moduleOf = ({ place }: Verdict): string => place.split("/")[1]!;
  const names = [...new Set(verdicts.map(moduleOf))].sort();
  const count = (some: readonly Verdict[], verdict: Verdict["verdict"]): number =>
    some.filter((one) => one.verdict === verdict).length;
  const row = (name: string, some: readonly Verdict[]): string => {
    const cells = [count(some, "killed"), count(some, "survived"), count(some, "rejected")];
    return `${name.padEnd(14)}${cells.map((cell) => String(cell).padStart(10)).join("")}`;
  };
  const [killed, survived] = [count(verdicts, "killed"), count(verdicts, "survived")];
  const { from, to } = interval(killed, killed + survived);
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
  const score = percent(killed / Math.max(1, killed + survived));
  return [
    `${"module".padEnd(14)}${["killed", "survived", "rejected"].map((name) => name.padStart(10)).join("")}`,
    ...names.map((name) =>
      row(
        name,
        verdicts.filter((one) => moduleOf(one) === name),
      ),
    ),
    row("all", verdicts),
    `score: ${killed} of ${killed + survived}, ${score} (95 %: ${percent(from)} to ${percent(to)})`,
    ...verdicts
      .filter(({ verdict }) => verdict === "survived")
      .map(({ index, place, change, suites }) => `survived ${index} ${place} ${change} (${suites} suites)`),
  ].join("\n");
}
