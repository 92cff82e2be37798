import { Command } from "commander";
import fc from "fast-check";
import {
  type CommandLine,
  defineLine,
  readLine,
  sourceOfLine,
} from "../../../src/cli/arguments/command-line";
import { detailOf, stewardCommand } from "../../../src/cli/arguments/suggested-command";
import { COMMANDS } from "../../../src/cli/commands";
import type { NamedSource } from "../../../src/cli/terminal/terminal";
import { diagnosticJson } from "../../../src/cli/views/json/events";
import { type DiagnosticAction, error } from "../../../src/diagnostics";
import { HOSTILE, takenLines } from "../../support/hostile";
import { readByShell } from "../../support/read-by-shell";

const diagnostic = (action: DiagnosticAction, address?: string) =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail: "It is there.",
    action,
    ...(address !== undefined && { address }),
  });

test.each<[DiagnosticAction, string]>([
  [{ kind: "import", id: "1:review apps/*" }, "steward import acme_thing.one '1:review apps/*'"],
  [{ kind: "stateRm" }, "steward state rm acme_thing.one"],
  [{ kind: "removed", type: "acme_thing" }, "steward state rm acme_thing.one"],
  [{ kind: "move", from: "a.b", to: "c.d" }, "steward state mv a.b c.d"],
  [{ kind: "plan" }, "steward plan"],
  [{ kind: "apply", stack: "web" }, "steward apply --stack web"],
  [{ kind: "unlock", id: "7d1c" }, "steward state unlock 7d1c"],
])("the action %j adds its command to the text and to the JSON of the diagnostic", (action, command) => {
  const one = diagnostic(action, "acme_thing.one");
  expect(detailOf(one)).toBe(`It is there.\n\n  ${command}`);
  expect(diagnosticJson(one)).toMatchObject({ action, command });
});

test("if a diagnostic suggests an import, its JSON contains the object's address and id", () => {
  expect(diagnosticJson(diagnostic({ kind: "import", id: "1" }, "a.b")).action).toEqual({
    kind: "import",
    address: "a.b",
    id: "1",
  });
});

test("if an object can't be read, the diagnostic suggests `steward state rm`", () => {
  expect(detailOf(diagnostic({ kind: "forget", type: "acme_thing" }, "acme_thing.one"))).toBe(
    "It is there. To continue without this object, delete its declaration and remove it from the state with this command, " +
      "which does not change the service.\n\n  steward state rm acme_thing.one",
  );
});

test("if an object's address changed, the diagnostic suggests a moved block and no command", () => {
  const one = diagnostic({ kind: "moved", from: "a.b", to: "c.d" });
  expect(detailOf(one)).toBe(
    'It is there.\n\n  moved {\n    from = a.b\n    to   = c.d\n  }\n\nWith cdktf: resource.moveFromId("a.b").',
  );
  expect(JSON.parse(JSON.stringify(diagnosticJson(one)))).not.toHaveProperty("command");
});

test("a suggested command quotes control characters in an address or id, and stays on one line", () => {
  const address = `acme_thing.one[${JSON.stringify(HOSTILE)}]`;
  const detail = detailOf(diagnostic({ kind: "import", id: HOSTILE }, address));
  expect(takenLines(detail)).toEqual([]);
  expect(readByShell([detail.split("\n").at(-1)!])).toEqual(["steward", "import", address, HOSTILE]);
});

const word = fc.stringMatching(/^[A-Za-z0-9_./ $'"*-]{1,12}$/);
const NAMED_SOURCE: fc.Arbitrary<NamedSource> = fc.oneof(
  fc.record({ config: word, state: word }, { requiredKeys: [] }),
  fc.record({ app: word, output: word, state: word }, { requiredKeys: [] }),
);
const ACTION: fc.Arbitrary<DiagnosticAction> = fc.oneof(
  fc.record({ kind: fc.constant("import" as const), address: word, id: word }),
  fc.record(
    { kind: fc.constant("stateRm" as const), address: word, stack: word },
    { requiredKeys: ["kind", "address"] },
  ),
  fc.record({ kind: fc.constant("stateRmAll" as const), addresses: fc.array(word, { minLength: 1 }) }),
  fc.record({ kind: fc.constant("move" as const), from: word, to: word }),
  fc.record({
    kind: fc.constant("move" as const),
    from: word,
    to: word,
    stacks: fc.constant({ from: "web", to: "base" }),
  }),
  fc.record({ kind: fc.constant("moveAll" as const), stacks: fc.constant({ from: "web", to: "base" }) }),
  fc.record({ kind: fc.constant("plan" as const), stack: word }, { requiredKeys: ["kind"] }),
  fc.record({ kind: fc.constant("apply" as const), stack: word }, { requiredKeys: ["kind"] }),
  fc.record({ kind: fc.constant("list" as const) }),
  fc.record({ kind: fc.constant("unlock" as const), id: word }),
  fc.record({ kind: fc.constant("show" as const), file: word }),
  fc.record({ kind: fc.constant("migrate" as const), state: word, to: word }),
);

/**
 * Removes the options that read the standard input. A suggested command leaves out these options, because it can't read the
 * same input again.
 */
const withoutStdin = (source: NamedSource): NamedSource =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== "-"));

/** Parses a command of this program, and returns the options that select its stacks and state. */
function sourceIn([program, ...words]: readonly string[]): NamedSource {
  expect(program).toBe("steward");
  const { line } = COMMANDS.filter(({ line: { name } }) =>
    name.split(" ").every((part, at) => words[at] === part),
  ).sort((one, other) => other.line.name.length - one.line.name.length)[0]!;
  const command = new Command().exitOverride().configureOutput({ outputError: () => {} });
  defineLine(command, line as CommandLine<unknown>);
  command.parse(words.slice(line.name.split(" ").length), { from: "user" });
  readLine(command, line as CommandLine<unknown>);
  return sourceOfLine(command);
}

test("a suggested command repeats the run's options for the app and the state", () => {
  fc.assert(
    fc.property(ACTION, NAMED_SOURCE, (action, source) => {
      const read = sourceIn(readByShell([stewardCommand(action, undefined, source)!]));
      const isBetweenStacks = "stacks" in action;
      if (action.kind === "show" || action.kind === "migrate") return;
      const { app, output } = source;
      expect(read).toEqual(
        isBetweenStacks ? { ...(app && { app }), ...(output && { output }) } : withoutStdin(source),
      );
    }),
  );
});
