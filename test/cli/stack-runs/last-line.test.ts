import { lastLine } from "../../../src/cli/stack-runs/last-line";
import { fakeTerminal } from "../support/terminal";

const terminal = (isTerminal: boolean, ...reports: string[]) => ({
  ...fakeTerminal({ isTerminal }),
  outputs: {
    force: false,
    files: [
      { option: "--out", file: "plan.steward" },
      ...reports.map((file) => ({ option: "--report", file })),
    ],
  },
});

test.each([
  [40, [], "Finished in 0.0s."],
  [9_949, [], "Finished in 9.9s."],
  [9_950, [], "Finished in 10s."],
  [59_600, [], "Finished in 1min 0s."],
  [80_000, ["plan.md"], "Finished in 1min 20s. Report: plan.md"],
  [1_000, ["plan.md", "a\nb.html"], "Finished in 1.0s. Reports: plan.md, a\\nb.html"],
])(
  "on a terminal, the last line of a run of %i ms with the reports %j is %j",
  (milliseconds, reports, line) => {
    expect(lastLine(terminal(true, ...reports), milliseconds)).toBe(line);
  },
);

test("without a terminal, a run prints no line with its duration", () => {
  expect(lastLine(terminal(false, "plan.md"), 1_000)).toBeUndefined();
});
