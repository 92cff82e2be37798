import { Interruption } from "../../../src/cli/stack/interruption";
import { fakeTerminal } from "../support/terminal";

test("Ctrl-C once stops gently, twice gives up what is under way, three times ends the process", () => {
  const terminal = fakeTerminal();
  const notices: string[] = [];
  const interruption = new Interruption(terminal, (text) => notices.push(text));
  const state = () => [interruption.stop.aborted, interruption.abort.aborted, terminal.exits];
  expect(state()).toEqual([false, false, []]);
  terminal.interrupt();
  expect(state()).toEqual([true, false, []]);
  terminal.interrupt();
  expect(state()).toEqual([true, true, []]);
  terminal.interrupt();
  expect(state()).toEqual([true, true, [130]]);
  expect(notices).toHaveLength(2);
  interruption.close();
  terminal.interrupt();
  expect(terminal.exits).toEqual([130]);
});
