#!/usr/bin/env node
import { isCurrent, loadBundle } from "./bundles";
import { processTerminal, type Terminal } from "./terminal/terminal";
import { packageVersion } from "./version";

const BUNDLE = "program.js";

/**
 * Loads the program from the bundle of `scripts/bundle-command.js`, which takes two thirds of the time of
 * loading the modules. A checkout with a newer compilation or without a bundle loads the modules.
 */
function loadProgram(): Pick<typeof import("./program"), "run" | "failUnexpectedly"> {
  if (isCurrent(BUNDLE)) return loadBundle(BUNDLE) as typeof import("./program");
  const { run, failUnexpectedly }: typeof import("./program") = require("./program");
  return { run, failUnexpectedly };
}

/** Scripts query the version often, so it loads nothing. */
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

// process.exit would drop output that a slow pipe has not read yet.
void main(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
