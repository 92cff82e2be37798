import { detailOf } from "../../../src/cli/arguments/suggested-command";
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
])("%j adds its command to the detail and to the event", (action, command) => {
  const one = diagnostic(action, "acme_thing.one");
  expect(detailOf(one)).toBe(`It is there.\n\n  ${command}`);
  expect(diagnosticJson(one)).toMatchObject({ action, command });
});

test("an event names the object of an action", () => {
  expect(diagnosticJson(diagnostic({ kind: "import", id: "1" }, "a.b")).action).toEqual({
    kind: "import",
    address: "a.b",
    id: "1",
  });
});

test("the fix for an unreadable object is the state rm command", () => {
  expect(detailOf(diagnostic({ kind: "forget", type: "acme_thing" }, "acme_thing.one"))).toBe(
    "It is there. To continue without this object, delete its declaration and remove it from the state with this command, " +
      "which does not change the service.\n\n  steward state rm acme_thing.one",
  );
});

test("the fix for a move is a moved block, not a command", () => {
  const one = diagnostic({ kind: "moved", from: "a.b", to: "c.d" });
  expect(detailOf(one)).toBe(
    'It is there.\n\n  moved {\n    from = a.b\n    to   = c.d\n  }\n\nWith cdktf: resource.moveFromId("a.b").',
  );
  expect(JSON.parse(JSON.stringify(diagnosticJson(one)))).not.toHaveProperty("command");
});

test("a hostile address and id are quoted for the shell and stay on one line", () => {
  const address = `acme_thing.one[${JSON.stringify(HOSTILE)}]`;
  const detail = detailOf(diagnostic({ kind: "import", id: HOSTILE }, address));
  expect(takenLines(detail)).toEqual([]);
  expect(readByShell([detail.split("\n").at(-1)!])).toEqual(["steward", "import", address, HOSTILE]);
});
