import { writeMirrored } from "../../../src/cli/views/mirror";
import { fakeTerminal } from "../support/terminal";

test("a mirror says how Terraform uses it, and which flag the cdktf CLI needs; on stdout stands the path alone", () => {
  const terminal = fakeTerminal();
  writeMirrored("/mirror/steward.tfrc", terminal);
  expect(terminal.written.out).toBe("/mirror/steward.tfrc\n");
  expect(terminal.written.err).toContain("TF_CLI_CONFIG_FILE");
  expect(terminal.written.err).toContain("cdktf diff --skip-provider-lock");
});
