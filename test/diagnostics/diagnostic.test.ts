import {
  DiagnosticError,
  error,
  fail,
  formatPath,
  hasErrors,
  mergeDiagnostics,
  warning,
} from "../../src/diagnostics";

const text = { code: "invalid_value", summary: "Invalid value", detail: "It is wrong." } as const;

test("a path reads as Terraform writes it", () => {
  expect(formatPath([])).toBe("");
  expect(formatPath(["deploy_access_levels", 0, "user"])).toBe("deploy_access_levels[0].user");
});

test("the same problem met twice is told once; the same at two objects is told twice", () => {
  const one = error({ ...text, address: "a" });
  const other = error({ ...text, address: "b" });
  expect(mergeDiagnostics([one, other], [{ ...one }])).toEqual([one, other]);
});

test("a warning is no error", () => {
  expect(hasErrors([warning(text)])).toBe(false);
  expect(hasErrors([warning(text), error(text)])).toBe(true);
});

test("fail throws an error that carries its diagnostic, and reads as one", () => {
  expect(() => fail(text)).toThrow(DiagnosticError);
  expect(() => fail(text)).toThrow("Invalid value: It is wrong.");
});
