import vm from "node:vm";

/** The time limit, in milliseconds, for one rule on the plan of one stack, and for the loading of one module. */
export const TIME_LIMIT = 60_000;

/**
 * Calls code of a policy module. Ends the code after the time limit or at Ctrl+C, even in an endless loop. Sends the output of
 * the code to stderr, because stdout is for the output of the command.
 *
 * @throws Error if the code does not end in time
 */
export function withTimeLimit<T>(limit: number, call: () => T): T {
  const context: { readonly call: () => T; result?: T } = { call };
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  try {
    vm.runInNewContext("result = call()", context, { timeout: limit, breakOnSigint: true });
    return context.result as T;
  } catch (problem) {
    const { code } = Object(problem) as { code?: unknown };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new Error(`it did not end within ${limit / 1000} s`);
    if (code === "ERR_SCRIPT_EXECUTION_INTERRUPTED") throw new Error("it was interrupted");
    throw problem;
  } finally {
    process.stdout.write = write;
  }
}

/** Returns the first three lines of an error as one line, because a loader writes file and line on the second line. */
export function messageOf(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(Object(problem).message ?? problem);
  return text.split("\n", 3).join(" ").trim();
}
