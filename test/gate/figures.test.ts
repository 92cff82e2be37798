import { brief, isPossible } from "../../bench/figures";

test.each([
  [0, "ms"],
  [Number.POSITIVE_INFINITY, "×"],
  [Number.NaN, "×"],
  [Number.NaN, "requests"],
  [-1, "requests"],
  [0, "MB"],
])("a figure of %d %s is impossible, and fails the benchmark", (value, unit) => {
  expect(isPossible({ name: "cdktf only", value, unit })).toBe(false);
  expect(() => brief({ name: "cdktf only", value, unit })).toThrow("cdktf only");
});

test.each([
  [0, "requests"],
  [0.3, "ms"],
  [0.61, "×"],
])("a figure of %d %s is possible", (value, unit) => {
  expect(isPossible({ name: "a figure", value, unit })).toBe(true);
});
