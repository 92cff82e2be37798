#!/usr/bin/env node
import { processTerminal, type Terminal } from "./terminal";
import { packageVersion } from "./version";

/** The version is asked for by scripts, again and again: it loads nothing. */
async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv.length === 1 && argv[0] === "--version") {
    terminal.out.write(`${packageVersion()}\n`);
    return 0;
  }
  process.on("uncaughtException", (problem) => {
    const { failUnexpectedly }: typeof import("./program") = require("./program");
    terminal.abort(failUnexpectedly(problem, argv, terminal));
  });
  const { run }: typeof import("./program") = require("./program");
  return run(argv, terminal);
}

// Not process.exit: what was written must reach a slow pipe first.
void main(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
