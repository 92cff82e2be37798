import { PLAIN } from "../../../src/cli/printing/text";
import { renderDiagnostic } from "../../../src/cli/views/diagnostics";
import { warning } from "../../../src/diagnostics";
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
