import * as z from "zod/mini";
import { HiddenValue } from "./hidden-values";
import { messageOf } from "./load";
import { type Rule, type Violation, violation } from "./rule";
import { withTimeLimit } from "./time-limit";

/** What a rule found about one subject: a change or a project. */
export interface Finding<S> {
  readonly subject: S;
  readonly violations: readonly Violation[];
  /** The value that it would have had to read, if it could not be checked. */
  readonly undecided?: string;
}

/** More violations of one subject than this come from a rule that never ends. */
const MAX_VIOLATIONS = 1000;

/**
 * Calls a rule for each subject.
 *
 * @returns its findings, or why it failed: what can't be checked is an error
 */
export function checkRule<S>(
  { file }: Pick<Rule, "file">,
  subjects: readonly S[],
  check: (subject: S) => unknown,
  limit: number,
): readonly Finding<S>[] | { readonly failed: string } {
  try {
    return withTimeLimit(limit, () => subjects.map((subject) => findingOf(subject, check)));
  } catch (problem) {
    return { failed: `${messageOf(problem)}${lineOf(problem, file)}` };
  }
}

function findingOf<S>(subject: S, check: (subject: S) => unknown): Finding<S> {
  try {
    return { subject, violations: violationsIn(check(subject)) };
  } catch (problem) {
    if (!(problem instanceof HiddenValue)) throw problem;
    return { subject, violations: [], undecided: problem.message };
  }
}

function violationsIn(answer: unknown): Violation[] {
  if (isPromise(answer)) {
    // Its rejection would end the process.
    answer.then(undefined, () => undefined);
    throw new Error("it returned a promise, and a rule can't be async");
  }
  if (typeof answer !== "object" || answer === null || !(Symbol.iterator in answer))
    throw new Error(
      `it returned ${kindOf(answer)} in place of a list of violations, empty if there are none`,
    );
  const found: unknown[] = [];
  for (const one of answer as Iterable<unknown>) {
    if (found.push(one) > MAX_VIOLATIONS)
      throw new Error(`it returned more than ${MAX_VIOLATIONS} violations`);
  }
  const { data, error } = z.array(violation).safeParse(found, { error: z.locales.en().localeError });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Error(`it returned an invalid violation: ${issue!.path.join(".")} ${issue!.message}`);
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (Object(value) as { then?: unknown }).then === "function";

const kindOf = (value: unknown): string => (value === null ? "null" : typeof value);

/** The line of the module that the stack of an error names first. */
function lineOf(problem: unknown, file: string): string {
  const { stack } = Object(problem) as { stack?: unknown };
  if (typeof stack !== "string") return "";
  const at = stack.indexOf(`${file}:`);
  const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + file.length + 1))?.[0];
  return line === undefined ? "" : ` (line ${line})`;
}
