import { DiagnosticError, type DiagnosticPath, error, SetElement } from "../../../src/diagnostics";
import { diagnosticsOf, writeDiagnostic, writePath } from "../../../src/plugin/values/diagnostics";
import { HOSTILE, takenLines } from "../../support/hostile";
import { EVERY_TYPE } from "../support/attributes";

const invalid = (attribute: DiagnosticPath, detail = "That can't be.") =>
  writeDiagnostic(EVERY_TYPE, error({ code: "invalid_value", summary: "Invalid value", detail, attribute }));

test("a diagnostic about an attribute contains the path of this attribute", () => {
  expect(invalid(["name"])).toEqual({
    severity: "ERROR",
    summary: "Invalid value",
    detail: "That can't be.",
    attribute: { steps: [{ attributeName: "name" }] },
  });
});

test("a diagnostic about a list element contains the path of this element", () => {
  expect(invalid(["tags", 0]).attribute).toEqual({
    steps: [{ attributeName: "tags" }, { elementKeyInt: 0 }],
  });
  expect(invalid(["steps", 1, "port"])).toMatchObject({
    detail: "steps[1].port: That can't be.",
    attribute: { steps: [{ attributeName: "steps" }, { elementKeyInt: 1 }] },
  });
});

test("a diagnostic about an element of a set contains the path of the set instead of the element's path", () => {
  expect(invalid(["rules", 0, "user"])).toMatchObject({
    detail: "rules[0].user: That can't be.",
    attribute: { steps: [{ attributeName: "rules" }] },
  });
  expect(writePath(EVERY_TYPE, ["targets", 3])).toEqual({ steps: [{ attributeName: "targets" }] });
});

test("a diagnostic's detail describes an element of a set by the element's content", () => {
  expect(invalid(["rules", new SetElement(() => 'user "ada"'), "level"])).toMatchObject({
    detail: 'rules[user "ada"].level: That can\'t be.',
    attribute: { steps: [{ attributeName: "rules" }] },
  });
});

test("if a diagnostic's detail already begins with the path, Steward does not add the path again", () => {
  expect(invalid(["rules", 0, "user"], "rules[0].user: There is no such user.").detail).toBe(
    "rules[0].user: There is no such user.",
  );
});

test("a diagnostic without an attribute has no path", () => {
  expect(invalid([])).not.toHaveProperty("attribute");
});

test("if an exception contains no diagnostic, the provider returns an internal error", () => {
  const known = error({ code: "invalid_value", summary: "Invalid value", detail: "So." });
  expect(diagnosticsOf(new DiagnosticError(known))).toEqual([known]);
  expect(diagnosticsOf(new TypeError("x is not a function"))).toMatchObject([
    { severity: "error", code: "internal_error", detail: expect.stringContaining("x is not a function") },
  ]);
});

test("line breaks in texts of the service add no line to a diagnostic", () => {
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
