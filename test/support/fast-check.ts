import { seed } from "./capabilities";

// Jest gives this module to whoever imports fast-check: no property runs with a seed of its own, so that a run repeats.
const fc: typeof import("fast-check") = require("fast-check/itself");
fc.configureGlobal({ seed });

module.exports = fc;
