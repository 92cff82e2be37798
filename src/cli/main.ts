#!/usr/bin/env node
import { isCurrent, loadBundle } from "./bundles";
import { type Program, runProgram } from "./run-program";

const BUNDLE = "program.js";

/**
 * Loads the program from the bundle that `scripts/bundle-command.js` wrote. This takes two thirds of the time that loading the
 * single modules takes. Loads the modules if a checkout has no bundle, or if the compiled code is newer.
 */
const loadProgram = (): Program =>
  isCurrent(BUNDLE) ? (loadBundle(BUNDLE) as Program) : require("./program");

runProgram(loadProgram);
