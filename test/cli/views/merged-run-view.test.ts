import { MergedRunView } from "../../../src/cli/views/create-run-view";
import { RunView } from "../../../src/cli/views/run-view";
import { change, plan } from "../support/models";
import { fakeTerminal } from "../support/terminal";

test("if a run has only one stack, Steward prints the stack's changes before the run ends", () => {
  const terminal = fakeTerminal();
  const view = new RunView(new MergedRunView(terminal, false));
  view.stack(undefined, 1);
  view.plan(plan({ changes: [change({ action: "create", before: null, after: { enabled: true } })] }));
  expect(terminal.written.out).toContain("# acme_thing.one will be created");
});
