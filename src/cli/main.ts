#!/usr/bin/env node
import { isCurrent, loadBundle } from "./bundles";
import { type Program, runProgram } from "./run-program";

const BUNDLE = "program.js";

/**
 * Loads the program from the bundle of `scripts/bundle-command.js`, which takes two thirds of the time of
 * loading the modules. A checkout with a newer compilation or without a bundle loads the modules.
 */
const loadProgram = (): Program =>
  isCurrent(BUNDLE) ? (loadBundle(BUNDLE) as Program) : require("./program");

runProgram(loadProgram);
