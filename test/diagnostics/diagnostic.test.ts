import {
  DiagnosticError,
  error,
  fail,
  formatCommand,
  formatPath,
  fullDetail,
  hasErrors,
  mergeDiagnostics,
  SetElement,
  warning,
} from "../../src/diagnostics";

const text = { code: "invalid_value", summary: "Invalid value", detail: "It is wrong." } as const;

test("a path reads as Terraform writes it", () => {
  expect(formatPath([])).toBe("");
  expect(formatPath(["deploy_access_levels", 0, "user"])).toBe("deploy_access_levels[0].user");
});

test("an element of a set is named by its content, which is asked for when the path is read", () => {
  const asked: string[] = [];
  const element = new SetElement(() => {
    asked.push("content");
    return 'user "ada"';
  });
  const path = ["deploy_access_levels", element, "user"];
  expect(asked).toEqual([]);
  expect(formatPath(path)).toBe('deploy_access_levels[user "ada"].user');
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

test("a command stands below the detail, about the object that the host knows, ready for a shell", () => {
  const command = { name: "steward import", args: ["42:review apps/*"] };
  expect(formatCommand(command, 'acme_thing.x["a b"]')).toBe(
    `steward import 'acme_thing.x["a b"]' '42:review apps/*'`,
  );
  expect(formatCommand({ name: "steward state rm" })).toBe("steward state rm ADDRESS");
  expect(fullDetail({ ...text, command, address: "acme_thing.y" })).toBe(
    "It is wrong.\n\n  steward import acme_thing.y '42:review apps/*'",
  );
  expect(fullDetail(text)).toBe("It is wrong.");
});
