import * as fc from "fast-check";
import { seed } from "./capabilities";

test("a property without a seed runs with the seed of all suites, so that a failure can be repeated", () => {
  expect(fc.readConfigureGlobal().seed).toBe(seed);
  expect(fc.sample(fc.nat(), 3)).toEqual(fc.sample(fc.nat(), { seed, numRuns: 3 }));
});
