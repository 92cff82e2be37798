import { seed } from "./capabilities";

// Jest replaces fast-check by this module in all tests. The module runs each property with the seed of the run, so that
// a run can be repeated.
const fc: typeof import("fast-check") = require("fast-check/itself");
fc.configureGlobal({ seed });

module.exports = fc;
