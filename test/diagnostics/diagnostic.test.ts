import {
  DiagnosticError,
  error,
  fail,
  formatPath,
  fullDetail,
  hasErrors,
  mergeDiagnostics,
  SetElement,
  type WriteAction,
  warning,
} from "../../src/diagnostics";

const text = { code: "invalid_value", summary: "Invalid value", detail: "It is wrong." } as const;

test("formatPath prints the path of an attribute as Terraform does", () => {
  expect(formatPath([])).toBe("");
  expect(formatPath(["deploy_access_levels", 0, "user"])).toBe("deploy_access_levels[0].user");
});

test("the creation of a path does not compute the content of a set's element in the path", () => {
  const asked: string[] = [];
  const element = new SetElement(() => {
    asked.push("content");
    return 'user "ada"';
  });
  const path = ["deploy_access_levels", element, "user"];
  expect(asked).toEqual([]);
  expect(formatPath(path)).toBe('deploy_access_levels[user "ada"].user');
});

test("mergeDiagnostics keeps equal problems of different objects", () => {
  const one = error({ ...text, address: "a" });
  const other = error({ ...text, address: "b" });
  expect(mergeDiagnostics([one, other], [{ ...one }])).toEqual([one, other]);
});

test("hasErrors is false for a list of only warnings", () => {
  expect(hasErrors([warning(text)])).toBe(false);
  expect(hasErrors([warning(text), error(text)])).toBe(true);
});

test("fail throws a DiagnosticError whose message is the text of the diagnostic", () => {
  expect(() => fail(text)).toThrow(DiagnosticError);
  expect(() => fail(text)).toThrow("Invalid value: It is wrong.");
});

test("fullDetail adds the suggested fix to the detail of a diagnostic", () => {
  const action = { kind: "import", id: "42" } as const;
  const write: WriteAction = (one, address) => ({
    sentence: "Take it over:",
    lines: [`${one.kind} ${address}`],
  });
  expect(fullDetail({ ...text, action, address: "acme_thing.y" }, write)).toBe(
    "It is wrong. Take it over:\n\nimport acme_thing.y",
  );
  expect(fullDetail(text, write)).toBe("It is wrong.");
  expect(new DiagnosticError(error({ ...text, action })).message).toBe("Invalid value: It is wrong.");
});
