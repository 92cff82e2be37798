import { interruptible, whileEditing } from "../../../src/cli/terminal/interruption";
import { fakeTerminal } from "../support/terminal";

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "after the first %s, a second signal ends the process immediately with code %i",
  async (signal, code) => {
    const terminal = fakeTerminal();
    const notices: string[] = [];
    await interruptible(
      terminal,
      (text) => notices.push(text),
      async ({ stop, abort }) => {
        const state = () => [stop.aborted, abort.aborted, terminal.exits];
        expect(state()).toEqual([false, false, []]);
        terminal.interrupt(signal);
        expect(state()).toEqual([true, false, []]);
        terminal.interrupt(signal);
        expect(state()).toEqual([true, true, [code]]);
      },
    );
    expect(notices).toEqual([expect.stringContaining("A second signal exits immediately.")]);
    terminal.interrupt(signal);
    expect(terminal.exits).toEqual([code]);
  },
);

test("if a signal arrives while `steward state rm` edits the state, the edit completes", async () => {
  const terminal = fakeTerminal();
  const edited = await whileEditing("state rm", { lockTimeout: 0 }, terminal, async ({ signal }) => {
    terminal.interrupt("SIGTERM");
    return signal.aborted;
  });
  expect([edited, terminal.exits]).toEqual([true, []]);
  terminal.interrupt("SIGTERM");
  expect(terminal.exits).toEqual([]);
});
