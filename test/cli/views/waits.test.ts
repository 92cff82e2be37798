import { Waits } from "../../../src/cli/views/waits";

/** Returns a display of waits with a clock that the test controls. */
function waits() {
  let now = 1_000_000;
  const all = new Waits(() => now);
  const waiting = (milliseconds: number, reason = "the rate limit is exhausted") =>
    all.toReport({ type: "rate_limit", milliseconds, reason });
  return {
    all,
    waiting,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe("the message about a pause", () => {
  test("Steward reports a pause of 12 seconds with the reason, but not a pause of 0.9 seconds", () => {
    const { waiting } = waits();
    expect(waiting(899)).toBeUndefined();
    expect(waiting(12_040)).toEqual({ seconds: 12, reason: "the rate limit is exhausted" });
  });

  test("if many requests wait for one pause, Steward reports the pause once", () => {
    const { waiting, pass } = waits();
    expect(waiting(5000)).toBeDefined();
    pass(20);
    expect(waiting(5000)).toBeUndefined();
    expect(waiting(9000)).toMatchObject({ seconds: 9 });
    pass(9000);
    expect(waiting(2000)).toMatchObject({ seconds: 2 });
  });

  test("if a request is sent without a wait, Steward reports no pause", () => {
    const sent = {
      type: "request",
      operation: "users.current",
      method: "GET",
      path: "/user",
      attempt: 1,
    } as const;
    expect(waits().all.toReport(sent)).toBeUndefined();
  });
});
