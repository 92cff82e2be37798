import * as fc from "fast-check";
import { seed } from "./capabilities";

test("a property that names no seed runs with the one of all suites, so that a failure repeats", () => {
  expect(fc.readConfigureGlobal().seed).toBe(seed);
  expect(fc.sample(fc.nat(), 3)).toEqual(fc.sample(fc.nat(), { seed, numRuns: 3 }));
});
