import { writeMirrored, writeNewApp } from "../../../src/cli/views/command-results";
import { fakeTerminal } from "../support/terminal";

test("mirror writes the path of the CLI configuration to stdout, and usage notes to stderr", () => {
  const terminal = fakeTerminal();
  writeMirrored("/mirror/steward.tfrc", "/mirror", terminal);
  expect(terminal.written.out).toBe("/mirror/steward.tfrc\n");
  expect(terminal.written.err).toContain("TF_CLI_CONFIG_FILE");
  expect(terminal.written.err).toContain("-fs-mirror=/mirror");
  expect(terminal.written.err).toContain("cdktf diff --skip-provider-lock");
});

test("init escapes colour codes in the folder's name in its coloured summary", () => {
  const terminal = fakeTerminal({ isTerminal: true });
  const args = { folder: "in\u001b[31mfra", json: false, color: true } as Parameters<typeof writeNewApp>[1];
  writeNewApp([{ path: "main.ts", text: "" }], args, terminal);
  expect(terminal.written.out).toContain(
    "\u001b[1m\u001b[32mCreated an app in in\\u001b[31mfra.\u001b[39m\u001b[22m\n",
  );
});
