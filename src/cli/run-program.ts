import { packageVersion } from "./version";

/** The module `program`, which defines all commands. */
export type Program = Pick<typeof import("./program"), "main">;

/**
 * Runs the command of this process. Prints the version without loading the program, because scripts often ask for the
 * version.
 */
export function runProgram(loadProgram: () => Program): void {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === "--version") {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  // Only sets the exit code. `process.exit` would drop the output that the reader of a slow pipe has not read yet.
  void loadProgram()
    .main(argv)
    .then((code) => {
      process.exitCode = code;
    });
}
