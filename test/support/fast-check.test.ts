import * as fc from "fast-check";
import { seed } from "./capabilities";

test("a property test without a seed uses the seed of the run, so that a failure can be repeated", () => {
  expect(fc.readConfigureGlobal().seed).toBe(seed);
  expect(fc.sample(fc.nat(), 3)).toEqual(fc.sample(fc.nat(), { seed, numRuns: 3 }));
});
