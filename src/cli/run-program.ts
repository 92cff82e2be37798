import type { Terminal } from "./terminal/terminal";
import { packageVersion } from "./version";

/** The program with all commands. */
export type Program = Pick<typeof import("./program"), "run" | "failUnexpectedly">;

/** Runs the command of this process. Scripts query the version often, so that loads nothing. */
export function runProgram(loadProgram: () => Program): void {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === "--version") {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  const { processTerminal }: typeof import("./terminal/terminal") = require("./terminal/terminal");
  // process.exit would drop output that a slow pipe has not read yet.
  void run(argv, processTerminal(), loadProgram()).then((code) => {
    process.exitCode = code;
  });
}

function run(argv: readonly string[], terminal: Terminal, program: Program): Promise<number> {
  process.on("uncaughtException", (problem) => {
    terminal.abort(program.failUnexpectedly(problem, argv, terminal));
  });
  return program.run(argv, terminal);
}
