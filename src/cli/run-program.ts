import type { Terminal } from "./terminal/terminal";
import { packageVersion } from "./version";

/** The program with all commands. */
export type Program = Pick<typeof import("./program"), "run" | "failUnexpectedly" | "processTerminal">;

/** Runs the command of this process. Scripts query the version often, so that loads nothing. */
export function runProgram(loadProgram: () => Program): void {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === "--version") {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  const program = loadProgram();
  // process.exit would drop output that a slow pipe has not read yet.
  void run(argv, program.processTerminal(), program).then((code) => {
    process.exitCode = code;
  });
}

function run(argv: readonly string[], terminal: Terminal, program: Program): Promise<number> {
  process.on("uncaughtException", (problem) => {
    terminal.abort(program.failUnexpectedly(problem, argv, terminal));
  });
  return program.run(argv, terminal);
}
