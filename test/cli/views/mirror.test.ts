import { writeMirrored } from "../../../src/cli/views/command-results";
import { fakeTerminal } from "../support/terminal";

test("mirror writes only the path to stdout, and usage notes for Terraform and the cdktf CLI to stderr", () => {
  const terminal = fakeTerminal();
  writeMirrored("/mirror/steward.tfrc", "/mirror", terminal);
  expect(terminal.written.out).toBe("/mirror/steward.tfrc\n");
  expect(terminal.written.err).toContain("TF_CLI_CONFIG_FILE");
  expect(terminal.written.err).toContain("-fs-mirror=/mirror");
  expect(terminal.written.err).toContain("cdktf diff --skip-provider-lock");
});
