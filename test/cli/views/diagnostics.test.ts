import { PLAIN } from "../../../src/cli/printing/text";
import { renderDiagnostic } from "../../../src/cli/views/diagnostics";
import { error, warning } from "../../../src/diagnostics";
import { textOf } from "../support/text-of";

describe("a diagnostic", () => {
  test("a diagnostic is framed, with address, construct and attribute", () => {
    const text = textOf(
      renderDiagnostic(
        error({
          code: "invalid_value",
          summary: "Invalid value",
          detail: ["Take another one.", "    steward plan"],
          address: "acme_thing.one",
          construct: "app/one",
          attribute: ["rules", 0, "user"],
        }),
        PLAIN,
      ),
    );
    expect(`\n${text}`).toBe(`
╷
│ Error: Invalid value
│
│   with acme_thing.one,
│   construct app/one,
│   attribute rules[0].user:
│
│ Take another one.
│     steward plan
╵
`);
  });

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
│ Warning: W
│
│ one two three four
│ five six
│     a line that is longer than the width
╵
`);
  });

  test("escapes control characters in text from the service", () => {
    const text = textOf(
      renderDiagnostic(
        error({ code: "bad_request", summary: "S", detail: "it said \u001b]0;owned\u0007" }),
        PLAIN,
      ),
    );
    expect(text).toContain("\\u001b]0;owned\\u0007");
  });
});
