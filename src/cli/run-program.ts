import { packageVersion } from "./version";

/** The program with all commands. */
export type Program = Pick<typeof import("./program"), "main">;

/** Runs the command of this process. Scripts query the version often, so printing the version loads nothing. */
export function runProgram(loadProgram: () => Program): void {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === "--version") {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  // process.exit would drop output that a slow pipe has not read yet.
  void loadProgram()
    .main(argv)
    .then((code) => {
      process.exitCode = code;
    });
}
