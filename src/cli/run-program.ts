import { processTerminal, type Terminal } from "./terminal/terminal";
import { packageVersion } from "./version";

/** The program with all commands. */
export type Program = Pick<typeof import("./program"), "run" | "failUnexpectedly">;

/** Runs the command of this process. */
export function runProgram(loadProgram: () => Program): void {
  // process.exit would drop output that a slow pipe has not read yet.
  void run(process.argv.slice(2), processTerminal(), loadProgram).then((code) => {
    process.exitCode = code;
  });
}

/** Scripts query the version often, so it loads nothing. */
async function run(argv: readonly string[], terminal: Terminal, loadProgram: () => Program): Promise<number> {
  if (argv.length === 1 && argv[0] === "--version") {
    terminal.out.line(packageVersion());
    return 0;
  }
  const program = loadProgram();
  process.on("uncaughtException", (problem) => {
    terminal.abort(program.failUnexpectedly(problem, argv, terminal));
  });
  return program.run(argv, terminal);
}
