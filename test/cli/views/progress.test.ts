import type { Every } from "../../../src/cli/terminal/terminal";
import { Progress } from "../../../src/cli/views/progress";

/** Returns a progress display with a timer that the test controls. */
function progressOf(isAnimated = false, columns = 30, isTerminal = true) {
  const lines: string[] = [];
  const intervals: number[] = [];
  let ring: (() => void) | undefined;
  let time = 0;
  const every: Every = (milliseconds, callback) => {
    intervals.push(milliseconds);
    ring = callback;
    return () => {
      ring = undefined;
    };
  };
  const add = (text: string) => void lines.push(text);
  const progress = new Progress(
    { err: { line: add, exact: add, columns, isTerminal }, every },
    isAnimated,
    () => time,
  );
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { progress, lines, intervals, pass, ring: () => ring?.() };
}

describe("progress without a terminal", () => {
  test("without a terminal, Steward prints a progress line every ten seconds", () => {
    const { progress, lines, intervals, ring } = progressOf(false, 80, false);
    progress.event({ kind: "progress", phase: "refresh", done: 3, total: 1000, last: "acme_thing.one" });
    progress.requested();
    ring();
    progress.stop();
    expect(lines).toEqual(["Reading objects... 3 of 1000, 1 request: acme_thing.one"]);
    expect(intervals).toEqual([10_000]);
  });

  test("without a terminal, Steward prints a line for the start and for the end of each change", () => {
    const { progress, lines } = progressOf(false, 80, false);
    const address = "acme_thing.one";
    progress.event({ kind: "apply_start", address, action: "update", id: "7" });
    progress.event({ kind: "apply_complete", address, action: "update", id: "7", milliseconds: 1700 });
    progress.event({ kind: "apply_start", address, action: "create" });
    progress.event({ kind: "apply_errored", address, action: "create", milliseconds: 20, diagnostics: [] });
    expect(lines).toEqual([
      "acme_thing.one: Modifying... [id=7]",
      "acme_thing.one: Modifications complete after 2s [id=7]",
      "acme_thing.one: Creating...",
      "acme_thing.one: Creation errored after 0s",
    ]);
  });

  test("without a terminal, Steward prints a line for each wait", () => {
    const { progress, lines } = progressOf(false, 80, false);
    progress.waiting({ seconds: 12, reason: "the rate limit is exhausted" });
    expect(lines).toEqual(["Waiting 12s: the rate limit is exhausted."]);
  });
});

describe("progress on a terminal without colours", () => {
  test("during a long refresh, the progress line contains the number of read objects and no object's address", async () => {
    const { progress, lines, ring } = progressOf();
    progress.event({ kind: "refresh_start", address: "acme_thing.one" });
    ring();
    progress.event({ kind: "progress", phase: "refresh", done: 3, total: 1000 });
    progress.event({ kind: "progress", phase: "refresh", done: 120, total: 1000 });
    ring();
    await progress.stop();
    ring();
    expect(lines).toEqual(["Working...", "Reading objects... 120 of 1000"]);
  });

  test("the progress line contains the number of requests, and after five seconds the remaining time", () => {
    const { progress, lines, pass, ring } = progressOf();
    progress.event({ kind: "progress", phase: "refresh", done: 0, total: 100 });
    progress.requested();
    ring();
    pass(1000);
    progress.event({ kind: "progress", phase: "refresh", done: 10, total: 100 });
    ring();
    for (let count = 0; count < 24; count++) progress.requested();
    pass(4000);
    progress.event({ kind: "progress", phase: "refresh", done: 25, total: 100 });
    ring();
    progress.event({ kind: "progress", phase: "refresh", done: 100, total: 100 });
    ring();
    expect(lines).toEqual([
      "Reading objects... 0 of 100, 1 request",
      "Reading objects... 10 of 100, 1 request",
      "Reading objects... 25 of 100, 25 requests, about 15s left",
      "Reading objects... 100 of 100, 25 requests",
    ]);
  });

  test("while the number of objects is unknown, the progress line contains the number of requests", () => {
    const { progress, lines, ring } = progressOf();
    progress.requested();
    progress.event({ kind: "refresh_start", address: "acme_thing.one" });
    ring();
    expect(lines).toEqual(["Reading... 1 request"]);
  });
});

test("the progress line contains the path of the last project that Steward read", () => {
  const { progress } = progressOf(true, 200);
  progress.event({ kind: "progress", phase: "list", done: 3, total: 300, last: "acme/web-shop" });
  expect(progress.describe()).toBe("Reading projects and groups... 3 of 300: acme/web-shop");
});

test("on a terminal, each progress line overwrites the previous progress line", () => {
  const { progress, lines, ring } = progressOf(true);
  progress.event({ kind: "progress", phase: "refresh", done: 3, total: 1000 });
  ring();
  progress.event({ kind: "apply_start", address: "acme_thing.one", action: "create" });
  progress.stop();
  ring();
  const clear = "\r\u001b[2K";
  const line = `${clear}Reading objects... 3 of 1000`;
  expect(lines).toEqual([`${clear}Working...`, line, clear, "acme_thing.one: Creating...", clear]);
});

test("during a wait, the progress line on a terminal begins with the remaining seconds", () => {
  const { progress, lines, pass, ring } = progressOf(true, 200);
  progress.event({ kind: "progress", phase: "refresh", done: 3, total: 1000 });
  progress.waiting({ seconds: 2, reason: "the rate limit is exhausted" });
  for (let at = 0; at < 3; at++) {
    ring();
    pass(1000);
  }
  const shown = lines.slice(1).map((line) => line.replace("\r\u001b[2K", ""));
  const count = "Reading objects... 3 of 1000";
  const wait = (seconds: number) => `Waiting ${seconds}s: the rate limit is exhausted. ${count}`;
  expect(shown).toEqual([wait(2), wait(1), count]);
});
