import type { DiagnosticAction } from "../../../src/diagnostics";
import { terraformAction, writeDiagnostic } from "../../../src/plugin/values/diagnostics";
import { HOSTILE, takenLines } from "../../support/hostile";
import { readByShell } from "../../support/read-by-shell";
import { EVERY_TYPE } from "../support/attributes";

const detailOf = (action: DiagnosticAction): string =>
  writeDiagnostic(EVERY_TYPE, {
    severity: "error",
    code: "already_exists",
    summary: "Already exists",
    detail: "It is there.",
    action,
  }).detail!;

test.each<[DiagnosticAction, string]>([
  [{ kind: "import", id: "1:review apps/*" }, "terraform import ADDRESS '1:review apps/*'"],
  [{ kind: "stateRm" }, "terraform state rm ADDRESS"],
  [{ kind: "move", from: "a.b", to: "c.d" }, "terraform state mv a.b c.d"],
  [{ kind: "plan" }, "terraform plan"],
  [{ kind: "unlock", id: "7d1c" }, "terraform force-unlock 7d1c"],
])("the action %j is printed as a command of Terraform below the detail", (action, command) => {
  expect(detailOf(action)).toBe(`It is there.\n\n  ${command}`);
});

test("for an unreadable object, the error suggests a removed block that removes the object from the state", () => {
  expect(detailOf({ kind: "forget", type: "acme_thing" })).toBe(
    "It is there. To continue without this object, replace its declaration with a block that removes it from the state, " +
      "without reading or changing it on the service:\n\n" +
      "removed {\n  from = acme_thing.NAME\n\n  lifecycle {\n    destroy = false\n  }\n}",
  );
});

test("for an object that the state has at another address, the error suggests a moved block", () => {
  expect(detailOf({ kind: "moved", type: "acme_thing" })).toContain(
    "moved {\n  from = acme_thing.OLD\n  to   = acme_thing.NEW\n}\n\nWith cdktf:\n\n" +
      '  resource.moveFromId("acme_thing.OLD")\n',
  );
  expect(detailOf({ kind: "moved", from: "a.b", to: "c.d" })).toContain("from = a.b\n  to   = c.d\n");
});

test("to remove an object from the state, the error suggests a removed block or `terraform state rm`", () => {
  const { lines } = terraformAction({ kind: "removed", type: "acme_thing" }, undefined);
  expect(lines).toContain("  from = acme_thing.OLD");
  expect(lines).toContain("  terraform state rm 'acme_thing.OLD[0]'");
  expect(lines.join("\n")).not.toContain("terraform import");
});

test("a suggested command quotes an id with control characters for the shell, and stays on one line", () => {
  const detail = detailOf({ kind: "removed", type: "acme_thing", id: HOSTILE });
  expect(takenLines(detail)).toEqual([]);
  const command = detail.split("\n").find((line) => line.startsWith("  terraform import"))!;
  expect(readByShell([command])).toEqual(["terraform", "import", "acme_thing.NAME", HOSTILE]);
});
