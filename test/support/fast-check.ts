import { seed } from "./capabilities";

// Jest gives this module to every importer of fast-check: each property runs with the seed of the run, so that a run
// can be repeated.
const fc: typeof import("fast-check") = require("fast-check/itself");
fc.configureGlobal({ seed });

module.exports = fc;
