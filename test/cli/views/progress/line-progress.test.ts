import { type Every, LineProgress } from "../../../../src/cli/views/progress/line-progress";

/** Progress with an alarm that rings when the test says so. */
function lineProgress() {
  const lines: string[] = [];
  let ring: (() => void) | undefined;
  const every: Every = (_, callback) => {
    ring = callback;
    return () => {
      ring = undefined;
    };
  };
  const progress = new LineProgress({ write: (text) => void lines.push(text) }, every);
  return { progress, lines, ring: () => ring?.() };
}

describe("progress without a terminal", () => {
  test("tells each change when it begins and when it ends", () => {
    const { progress, lines } = lineProgress();
    const address = "acme_thing.one";
    progress.event({ kind: "apply_start", address, action: "update", id: "7" });
    progress.event({ kind: "apply_complete", address, action: "update", id: "7", milliseconds: 1700 });
    progress.event({ kind: "apply_start", address, action: "create" });
    progress.event({ kind: "apply_errored", address, action: "create", milliseconds: 20, diagnostics: [] });
    expect(lines.join("")).toBe(
      "acme_thing.one: Modifying... [id=7]\n" +
        "acme_thing.one: Modifications complete after 2s [id=7]\n" +
        "acme_thing.one: Creating...\n" +
        "acme_thing.one: Creation errored after 0s\n",
    );
  });

  test("tells what is waited for", () => {
    const { progress, lines } = lineProgress();
    progress.waiting({ seconds: 12, reason: "the limit is used up" });
    expect(lines).toEqual(["Waiting 12s: the limit is used up.\n"]);
  });

  test("says of a long refresh every few seconds how far it is, and nothing of single objects", async () => {
    const { progress, lines, ring } = lineProgress();
    progress.event({ kind: "refresh_start", address: "acme_thing.one" });
    ring();
    progress.event({ kind: "progress", phase: "refresh", done: 3, total: 1000 });
    progress.event({ kind: "progress", phase: "refresh", done: 120, total: 1000 });
    ring();
    await progress.settle();
    ring();
    expect(lines).toEqual(["Working...\n", "Refreshing state... 120 of 1000\n"]);
  });
});
