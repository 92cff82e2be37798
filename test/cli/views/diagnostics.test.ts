import { PLAIN } from "../../../src/cli/terminal/text";
import { renderDiagnostic, reportDiagnostics } from "../../../src/cli/views/diagnostics";
import { error, warning } from "../../../src/diagnostics";
import { fakeTerminal } from "../support/terminal";
import { textOf } from "../support/text-of";

test("if the terminal's width is known, Steward wraps a diagnostic's lines between words, except indented lines", () => {
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

test("if a diagnostic has 250 items, Steward prints 20 items and the number of the other items", () => {
  const items = Array.from({ length: 250 }, (_, at) => `- from the list of acme/p${at}: acme/tools`);
  const lines = renderDiagnostic(
    warning({ code: "replaced_entries", summary: "W", detail: ["Removed:", ...items, "", "The end."] }),
    PLAIN,
  );
  expect(lines).toHaveLength(28);
  expect(lines).toContain("│ - from the list of acme/p19: acme/tools");
  expect(lines.slice(-4)).toEqual([
    "│ - and 230 more. To list all of them, add --report FILE.",
    "│",
    "│ The end.",
    "╵",
  ]);
});

test("Steward prints diagnostics with the same cause as one diagnostic with all affected objects", () => {
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

test("if 30 warnings have the same code and summary, Steward prints only the first warning in full", () => {
  const terminal = fakeTerminal();
  const skipped = (name: string) =>
    warning({
      code: "archived_project",
      summary: "Skipped",
      detail: `${name} is archived. Nothing can be changed there.`,
    });
  const names = Array.from({ length: 30 }, (_, at) => `acme/p${at}`);
  const failed = error({ code: "reference_not_found", summary: "Skipped", detail: "Not found." });
  reportDiagnostics([...names.map(skipped), failed], terminal, { json: false, color: false });
  const { err } = terminal.written;
  expect(err.match(/Warning: Skipped/g)).toHaveLength(1);
  expect(err.match(/Error: Skipped/g)).toHaveLength(1);
  expect(err).toContain(
    "│ acme/p0 is archived. Nothing can be changed there.\n│\n│ 29 more warnings of this kind:\n",
  );
  expect(err).toContain("│   - acme/p1 is archived.\n");
  expect(err).toContain("│   - and 19 more, in the files of --report\n");
  expect(err).not.toContain("acme/p20 ");
});

test("if only two warnings have the same code and summary, Steward prints each warning in full", () => {
  const terminal = fakeTerminal();
  const one = (detail: string) => warning({ code: "archived_project", summary: "Skipped", detail });
  reportDiagnostics([one("a"), one("b")], terminal, { json: false, color: false });
  expect(terminal.written.err.match(/Warning: Skipped/g)).toHaveLength(2);
});
