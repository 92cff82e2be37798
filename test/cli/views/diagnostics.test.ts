import { PLAIN } from "../../../src/cli/printing/text";
import { renderDiagnostic, reportDiagnostics } from "../../../src/cli/views/diagnostics";
import { error, warning } from "../../../src/diagnostics";
import { fakeTerminal } from "../support/terminal";
import { textOf } from "../support/text-of";

test("a diagnostic is wrapped between words if the width is known, except for indented lines", () => {
  const text = textOf(
    renderDiagnostic(
      warning({
        code: "invalid_value",
        summary: "W",
        detail: ["one two three four five six", "    a line that is longer than the width"],
      }),
      PLAIN,
      22,
    ),
  );
  expect(`\n${text}`).toBe(`
╷
│ Warning: W [invalid_value]
│
│ one two three four
│ five six
│     a line that is longer than the width
╵
`);
});

test("diagnostics of one cause are reported once, with the affected objects", () => {
  const terminal = fakeTerminal();
  const taken = (address: string) =>
    error({
      code: "reference_taken",
      summary: "Taken",
      detail: `${address} is taken.`,
      address,
      cause: "project acme/web",
    });
  reportDiagnostics([taken("a.x"), taken("a.y")], terminal, { json: false, color: false });
  expect(terminal.written.err.match(/Error: Taken/g)).toHaveLength(1);
  expect(terminal.written.err).toContain("This affects 2 objects: a.x, a.y.");
});
