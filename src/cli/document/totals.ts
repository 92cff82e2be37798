import type { StackOutcome } from "../../engine";
import { counted, namesUpTo } from "../../text";
import { suppressedSentence } from "../findings/finding";
import type { Report, ReportObject } from "./model";

/** The findings of one stack. */
export interface StackFindings {
  readonly name: string;
  /** Whether there are changes or drift that no file ignores and no earlier run reported. */
  readonly hasFindings: boolean;
  /** Whether an error makes the results of the stack incomplete. */
  readonly hasFailed: boolean;
  /** The numbers of differences that an earlier run reported, and that a file ignores. */
  readonly known: number;
  readonly ignored: number;
}

/** The findings of a run, as the last line, all reports and the exit code state them. */
export interface RunFindings {
  readonly what: "drift" | "changes";
  readonly stacks: readonly StackFindings[];
  /** The number of live objects that no stack declares. */
  readonly unmanaged: number;
}

/** The result of a run, and of `report.result`. */
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
 * The exit code of a run, by the result that its reports have.
 *
 * @param isDetailed whether findings have a code, as in `drift` and `plan --detailed-exitcode`
 */
export const exitCodeOf = (outcome: StackOutcome, isDetailed: boolean): number => {
  if (outcome === "found" && !isDetailed) return EXIT_CODES.clean;
  return EXIT_CODES[outcome === "nothing" ? "clean" : outcome];
};

/** Paints the parts of a sentence: good, noteworthy or bad. */
interface Paint {
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly red: (text: string) => string;
}

const unchanged = (text: string): string => text;
const UNPAINTED: Paint = { green: unchanged, yellow: unchanged, red: unchanged };

/** The maximum number of stacks that a line names. */
const MAX_NAMES = 100;

/**
 * The results of several stacks, such as `3 stacks: 2 with drift (a, b), 1 failed (c), 88 unmanaged objects`.
 *
 * @param nameOf writes the name of a stack; without it, stacks are only counted
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

/** Undeclared objects belong to no stack, and are in an entry of this name. */
export const UNMANAGED = "unmanaged";
export const isUndeclared = ({ status }: ReportObject): boolean => status === "unmanaged";
