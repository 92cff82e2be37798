import type { StackOutcome } from "../../engine";
import { counted, namesUpTo } from "../../text";
import { suppressedSentence } from "../findings/finding";
import type { Report, ReportObject } from "./model";

/** The totals of one stack. The result of the stack follows from these totals. */
export interface StackFindings {
  readonly name: string;
  /** Whether the stack has changes or drift that no waiver accepts and no earlier run reported. */
  readonly hasFindings: boolean;
  /** Whether an error makes the results of the stack incomplete. */
  readonly hasFailed: boolean;
  /** `known` counts differences that an earlier run reported, and `ignored` counts differences that a waiver accepts. */
  readonly known: number;
  readonly ignored: number;
}

/** The totals of a run. The last line of the output, all reports and the exit code follow from these totals. */
export interface RunFindings {
  readonly what: "drift" | "changes";
  readonly stacks: readonly StackFindings[];
  /** The number of live objects that no stack declares. */
  readonly unmanaged: number;
}

/** Returns the result of a run, as `report.result` contains it. */
export function resultOf({
  stacks,
  unmanaged,
}: {
  readonly stacks: readonly Pick<StackFindings, "hasFindings" | "hasFailed">[];
  readonly unmanaged: number;
}): Report["result"] {
  if (stacks.some(({ hasFailed }) => hasFailed)) return "failed";
  return unmanaged > 0 || stacks.some(({ hasFindings }) => hasFindings) ? "found" : "clean";
}

const EXIT_CODES: Readonly<Record<Report["result"], number>> = { clean: 0, found: 2, failed: 1 };

/**
 * Returns the exit code for the result of a run.
 *
 * @param isDetailed whether findings cause the exit code 2, as in `drift` and `plan --detailed-exitcode`
 */
export const exitCodeOf = (outcome: StackOutcome, isDetailed: boolean): number => {
  if (outcome === "found" && !isDetailed) return EXIT_CODES.clean;
  return EXIT_CODES[outcome === "nothing" ? "clean" : outcome];
};

/**
 * Functions that colour parts of a sentence: `green` for good results, `yellow` for noteworthy results, and `red` for bad
 * results.
 */
interface Paint {
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
}

const unchanged = (text: string): string => text;
const UNPAINTED: Paint = { green: unchanged, yellow: unchanged, red: unchanged };

/** The maximum number of stacks that a sentence about several stacks names. */
const MAX_NAMES = 100;

/**
 * Returns a sentence about the results of several stacks, such as `3 stacks: 2 with drift (a, b), 1 failed (c), 88 unmanaged
 * objects`.
 *
 * @param nameOf returns the name of a stack for the sentence. Without this function, the sentence contains only the numbers of
 * stacks
 */
export function stacksSentence(
  { what, stacks, unmanaged }: RunFindings,
  { green, yellow, red }: Paint = UNPAINTED,
  nameOf?: (name: string) => string,
): string {
  const part = (of: readonly StackFindings[], words: string) =>
    nameOf === undefined
      ? `${of.length} ${words}`
      : `${of.length} ${words} (${namesUpTo(
          MAX_NAMES,
          of.map(({ name }) => nameOf(name)),
        )})`;
  const found = stacks.filter(({ hasFindings }) => hasFindings);
  const failed = stacks.filter(({ hasFailed }) => hasFailed);
  const sum = (count: (one: StackFindings) => number) => stacks.reduce((total, one) => total + count(one), 0);
  const suppressed = suppressedSentence(
    sum(({ known }) => known),
    sum(({ ignored }) => ignored),
  );
  const nothing = suppressed === undefined ? green(`no ${what}`) : yellow(suppressed);
  return `${counted(stacks.length, "stack")}: ${[
    ...(found.length > 0 ? [yellow(part(found, `with ${what}`))] : []),
    ...(found.length === 0 && failed.length === 0 ? [nothing] : []),
    ...(failed.length > 0 ? [red(part(failed, "failed"))] : []),
    ...(unmanaged > 0 ? [yellow(counted(unmanaged, "unmanaged object"))] : []),
  ].join(", ")}`;
}

/** The name in a report for the list of undeclared objects, which belong to no stack. */
export const UNMANAGED = "unmanaged";
export const isUndeclared = ({ status }: ReportObject): boolean => status === "unmanaged";
