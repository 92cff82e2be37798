import { Handlers } from "../../../src/cli/stack-runs/each-stack";
import { Channel } from "../../../src/cli/terminal/terminal";
import { fakeTerminal } from "../support/terminal";

const thrower = () => {
  throw new Error("the drawing broke");
};

describe("an event handler that throws", () => {
  test("if an event handler throws twice, the run prints one warning", () => {
    const terminal = fakeTerminal({ env: { STEWARD_LOG: "debug" } });
    const handle = new Handlers(terminal, { json: false, color: false }).guard(thrower);
    handle(1);
    handle(2);
    const { err } = terminal.written;
    expect(err.match(/Warning: Internal error/g)).toHaveLength(1);
    expect(err).toContain("the drawing broke. Changes and the saved state are not affected.");
    expect(
      err.match(/\[DEBUG\] fault: Error: the drawing broke\n\S+ \[DEBUG\] fault: +at thrower/g),
    ).toHaveLength(2);
  });

  test("if an event handler throws during a run with --json, Steward prints the warning as an event on stdout", () => {
    const terminal = fakeTerminal();
    new Handlers(terminal, { json: true, color: false }).guard(thrower)(1);
    expect(terminal.written.err).toBe("");
    expect(JSON.parse(terminal.written.out)).toMatchObject({
      type: "diagnostic",
      diagnostic: { severity: "warning", code: "internal_error" },
    });
  });

  test("if an event handler throws and Steward can't print the warning, the run still continues", () => {
    const terminal = { ...fakeTerminal(), err: new Channel(thrower) };
    const handlers = new Handlers(terminal, { json: false, color: false });
    expect(() => handlers.guard(thrower)(1)).not.toThrow();
  });
});

test("an event handler that does not throw receives each event and causes no output", () => {
  const terminal = fakeTerminal();
  const got: number[] = [];
  const handlers = new Handlers(terminal, { json: false, color: false });
  handlers.guard<number>((event) => void got.push(event))(7);
  expect([got, terminal.written]).toEqual([[7], { out: "", err: "" }]);
});
