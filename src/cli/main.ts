#!/usr/bin/env node
import { isCurrent, loadBundle } from "./bundles";
import { processTerminal, type Terminal } from "./terminal/terminal";
import { packageVersion } from "./version";

const BUNDLE = "program.js";

/**
 * The program, as the one file that `scripts/bundle-command.js` makes of it: that loads in two thirds of the time. In a
 * checkout where the compiler ran later, or where it was never made, the modules themselves.
 */
function loadProgram(): Pick<typeof import("./program"), "run" | "failUnexpectedly"> {
  if (isCurrent(BUNDLE)) return loadBundle(BUNDLE) as typeof import("./program");
  const { run, failUnexpectedly }: typeof import("./program") = require("./program");
  return { run, failUnexpectedly };
}

/** The version is asked for by scripts, again and again: it loads nothing. */
async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv.length === 1 && argv[0] === "--version") {
    terminal.out.line(packageVersion());
    return 0;
  }
  const { run, failUnexpectedly } = loadProgram();
  process.on("uncaughtException", (problem) => {
    terminal.abort(failUnexpectedly(problem, argv, terminal));
  });
  return run(argv, terminal);
}

// Not process.exit: what was written must reach a slow pipe first.
void main(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
