import { DiagnosticError, type DiagnosticPath, error, SetElement } from "../../../src/diagnostics";
import { writePath } from "../../../src/plugin/values/attribute-path";
import { diagnosticsOf, writeDiagnostic } from "../../../src/plugin/values/diagnostics";
import { HOSTILE, takenLines } from "../../support/hostile";
import { EVERY_TYPE } from "../support/attributes";

const invalid = (attribute: DiagnosticPath, detail = "That can't be.") =>
  writeDiagnostic(EVERY_TYPE, error({ code: "invalid_value", summary: "Invalid value", detail, attribute }));

test("an attribute is pointed at", () => {
  expect(invalid(["name"])).toEqual({
    severity: "ERROR",
    summary: "Invalid value",
    detail: "That can't be.",
    attribute: { steps: [{ attributeName: "name" }] },
  });
});

test("an element of a list is pointed at, what lies inside of it is named in the text", () => {
  expect(invalid(["tags", 0]).attribute).toEqual({
    steps: [{ attributeName: "tags" }, { elementKeyInt: 0 }],
  });
  expect(invalid(["steps", 1, "port"])).toMatchObject({
    detail: "steps[1].port: That can't be.",
    attribute: { steps: [{ attributeName: "steps" }, { elementKeyInt: 1 }] },
  });
});

test("an element of a set has no place to point at", () => {
  expect(invalid(["rules", 0, "user"])).toMatchObject({
    detail: "rules[0].user: That can't be.",
    attribute: { steps: [{ attributeName: "rules" }] },
  });
  expect(writePath(EVERY_TYPE, ["targets", 3])).toEqual({ steps: [{ attributeName: "targets" }] });
});

test("an element of a set that is named by its content is named so", () => {
  expect(invalid(["rules", new SetElement(() => 'user "ada"'), "level"])).toMatchObject({
    detail: 'rules[user "ada"].level: That can\'t be.',
    attribute: { steps: [{ attributeName: "rules" }] },
  });
});

test("what the text names already is not named again", () => {
  expect(invalid(["rules", 0, "user"], "rules[0].user: There is no such user.").detail).toBe(
    "rules[0].user: There is no such user.",
  );
});

test("a diagnostic about no attribute points at none", () => {
  expect(invalid([])).not.toHaveProperty("attribute");
});

test("what was thrown as a diagnostic is told as it is; all else is a fault of the provider", () => {
  const known = error({ code: "invalid_value", summary: "Invalid value", detail: "So." });
  expect(diagnosticsOf(new DiagnosticError(known))).toEqual([known]);
  expect(diagnosticsOf(new TypeError("x is not a function"))).toMatchObject([
    { severity: "error", code: "internal_error", detail: expect.stringContaining("x is not a function") },
  ]);
});

test("what somebody else wrote takes over no line of a diagnostic: without colours Terraform prints it without a frame", () => {
  const element = new SetElement(() => `user ${HOSTILE}`);
  const texts = [
    invalid(["name"], `It is ${HOSTILE}.`),
    invalid(["rules", element, "user"]),
    writeDiagnostic(EVERY_TYPE, {
      severity: "error",
      code: "forbidden",
      summary: `It is ${HOSTILE}`,
      detail: `rules[${element}]: ${HOSTILE}`.replaceAll("\n", " "),
      action: { kind: "stateRm", address: HOSTILE },
    }),
    ...diagnosticsOf(new Error(`It is ${HOSTILE}.`)),
  ];
  for (const { summary = "", detail = "" } of texts) expect(takenLines(`${summary}\n${detail}`)).toEqual([]);
});
