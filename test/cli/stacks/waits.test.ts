import { Waits } from "../../../src/cli/stacks/waits";

/** Waits on a clock that stands still until the test moves it. */
function waits() {
  let now = 1_000_000;
  const all = new Waits(() => now);
  const waiting = (milliseconds: number, reason = "the limit is used up") =>
    all.worthTelling({ kind: "waiting", milliseconds, reason });
  return {
    all,
    waiting,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe("a pause is worth telling", () => {
  test("when it is a second or longer, with its reason", () => {
    const { waiting } = waits();
    expect(waiting(899)).toBeUndefined();
    expect(waiting(12_040)).toEqual({ seconds: 12, reason: "the limit is used up" });
  });

  test("once where many requests wait for the same moment, and again when it is put off", () => {
    const { waiting, pass } = waits();
    expect(waiting(5000)).toBeDefined();
    pass(20);
    expect(waiting(5000)).toBeUndefined();
    expect(waiting(9000)).toMatchObject({ seconds: 9 });
    pass(9000);
    expect(waiting(2000)).toMatchObject({ seconds: 2 });
  });

  test("and other steps of a request are none", () => {
    const sent = { kind: "sent", method: "GET", path: "/user", attempt: 1 } as const;
    expect(waits().all.worthTelling(sent)).toBeUndefined();
  });
});
