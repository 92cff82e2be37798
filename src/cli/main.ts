#!/usr/bin/env node
import { isCurrent, loadBundle } from "./bundles";
import { type Program, runProgram } from "./run-program";

const BUNDLE = "program.js";

/**
 * Loads the program from the bundle of `scripts/bundle-command.js`. Loading the bundle takes two thirds of the time of loading
 * the modules. A checkout loads the modules if it has no bundle, or a newer compilation.
 */
const loadProgram = (): Program =>
  isCurrent(BUNDLE) ? (loadBundle(BUNDLE) as Program) : require("./program");

runProgram(loadProgram);
