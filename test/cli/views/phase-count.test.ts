import { Progress } from "../../../src/cli/views/progress";

/** Returns a progress count with a clock in seconds that the test controls. */
function phaseCount() {
  let now = 0;
  const silent = {
    err: { line: () => {}, exact: () => {}, columns: 80, isTerminal: true },
    every: () => () => {},
  };
  const count = new Progress(silent, false, () => now);
  const at = (seconds: number, done: number, phase: "refresh" | "apply" | "list" = "refresh") => {
    now = seconds * 1000;
    count.event({ kind: "progress", phase, done, total: 1000 });
    return count.describe();
  };
  return { count, at };
}

test("after ten seconds, the progress line also contains the estimated remaining time", () => {
  const { count, at } = phaseCount();
  expect(count.describe()).toBe("Working...");
  expect(at(0, 1)).toBe("Reading objects... 1 of 1000");
  expect(at(2, 101)).toBe("Reading objects... 101 of 1000");
  expect(at(10, 201)).toBe("Reading objects... 201 of 1000, about 40s left");
  expect(at(40, 1000)).toBe("Reading objects... 1000 of 1000");
});

test("for each stack, the progress line begins with the stack's name and counts from zero", () => {
  const { count, at } = phaseCount();
  count.stack("Stack web (1 of 2): ");
  count.requested();
  at(0, 1);
  expect(at(10, 901)).toBe("Stack web (1 of 2): Reading objects... 901 of 1000, 1 request, about 2s left");
  count.stack("Stack base (2 of 2): ");
  expect(count.describe()).toBe("Stack base (2 of 2): Working...");
  expect(at(11, 1)).toBe("Stack base (2 of 2): Reading objects... 1 of 1000");
  expect(at(21, 11)).toBe("Stack base (2 of 2): Reading objects... 11 of 1000, about 17min left");
});

test("during the first five objects of a phase, the progress line contains no remaining time", () => {
  const { at } = phaseCount();
  at(0, 1);
  expect(at(60, 5)).toBe("Reading objects... 5 of 1000");
  expect(at(60, 6)).toBe("Reading objects... 6 of 1000, about 199min left");
});

test("if no object is read for 15 seconds, the estimate of the remaining time increases", () => {
  const { at } = phaseCount();
  at(0, 1);
  expect(at(5, 501)).toBe("Reading objects... 501 of 1000, about 5s left");
  expect(at(20, 501)).toBe("Reading objects... 501 of 1000, about 20s left");
});

test("Steward estimates the remaining time from the pace of the current phase, not of earlier phases", () => {
  const { at } = phaseCount();
  at(0, 1);
  at(100, 1000);
  expect(at(101, 1, "apply")).toBe("Applying changes... 1 of 1000");
  expect(at(105, 101, "apply")).toBe("Applying changes... 101 of 1000, about 36s left");
  expect(at(200, 3, "list")).toBe("Reading projects and groups... 3 of 1000");
});
