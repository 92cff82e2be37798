import { byCause, withAffectedObjects } from "../../../src/cli/views/diagnostics";
import { HumanRunView } from "../../../src/cli/views/human-run-view";
import { RunView } from "../../../src/cli/views/run-view";
import { type Diagnostic, type ErrorCode, error, warning } from "../../../src/diagnostics";
import { fakeTerminal } from "../support/terminal";

const grouped = (all: readonly Diagnostic[]) => byCause(all).map(withAffectedObjects);

const at = (code: ErrorCode, index: number) =>
  error({ code, summary: "S", detail: `request ${index}`, address: `acme_thing.t${index}` });

describe("diagnostics with the same cause", () => {
  test("diagnostics with the same cause are reported once, with the names of the other objects", () => {
    const all = Array.from({ length: 300 }, (_, index) => at("unauthorized", index));
    const named = Array.from({ length: 10 }, (_, index) => `acme_thing.t${index}`).join(", ");
    expect(grouped(all)).toEqual([
      { ...all[0], detail: `request 0\n\nThis affects 300 objects: ${named} and 290 more.` },
    ]);
  });

  test.each([
    ["a missing scope", "insufficient_scope", undefined],
    ["a path without an API", "no_api", undefined],
    ["an insufficient role", "insufficient_role", "40"],
    ["a missing project", "reference_not_found", "project acme/nowhere"],
  ] as const)("diagnostics are grouped for %s", (_, code, cause) => {
    const all = [at(code, 1), at(code, 2)].map((one) => ({ ...one, ...(cause !== undefined && { cause }) }));
    expect(grouped(all)).toHaveLength(1);
    expect(grouped(all)[0]!.detail).toContain("This affects 2 objects: acme_thing.t1, acme_thing.t2.");
  });

  test("diagnostics are grouped by cause: two missing projects are two groups", () => {
    const not = (index: number, cause: string) => ({ ...at("reference_not_found", index), cause });
    expect(grouped([not(1, "project a/b"), not(2, "project a/c"), not(3, "project a/b")])).toHaveLength(2);
  });

  test("name an object with two such diagnostics once", () => {
    const one = at("forbidden", 1);
    const all = [
      { ...one, cause: "403" },
      { ...one, cause: "403", detail: "another request" },
    ];
    expect(grouped(all)).toEqual([all[0]]);
  });

  test("diagnostics are reported separately if they are specific to the object", () => {
    const all = [at("forbidden", 1), at("forbidden", 2), at("unreachable", 3)];
    expect(grouped(all)).toEqual(all);
  });
});

test("a cause in several stacks is reported in full only once: 100 stacks showed 100 frames", () => {
  const terminal = fakeTerminal();
  const view = new RunView(new HumanRunView(terminal, false));
  for (const name of ["web", "docs", "shop"]) {
    view.stack(name, 3);
    view.diagnostics([at("no_api", 1), at("no_api", 2), at("conflict", 3)]);
  }
  expect(terminal.written.err.split("request 1")).toHaveLength(2);
  const again = 'Error: S, as in the stack "web" (2 objects here: acme_thing.t1, acme_thing.t2)';
  expect(terminal.written.err.split("\n").filter((line) => line === again)).toHaveLength(2);
  expect(terminal.written.err.split("request 3")).toHaveLength(4);
});

test("a cause in one stack is reported in full in its plan and in its apply", () => {
  const terminal = fakeTerminal();
  const view = new RunView(new HumanRunView(terminal, false));
  view.stack("web", 1);
  view.diagnostics([at("no_api", 1)]);
  view.diagnostics([at("no_api", 2)]);
  expect(terminal.written.err).toMatch(/request 1.*request 2/s);
});

test("what a provider's configuration lacks is reported in full for the first stack alone", () => {
  const terminal = fakeTerminal();
  const view = new RunView(new HumanRunView(terminal, false));
  for (const name of ["web", "docs"]) {
    view.stack(name, 2);
    view.diagnostics([{ ...at("conflict", 1), address: "provider.acme" }]);
  }
  expect(terminal.written.err).toContain(
    '\nError: S, as in the stack "web" (1 object here: provider.acme)\n',
  );
});

test("a warning with equal texts is printed once, with the objects that it is about", () => {
  const terminal = fakeTerminal();
  const view = new RunView(new HumanRunView(terminal, false));
  const text = { code: "internal_error" as const, summary: "S", detail: "why it matters" };
  for (const name of ["web", "docs"]) {
    view.stack(name, 2);
    view.diagnostics(["acme_thing.a", "acme_thing.b"].map((address) => warning({ ...text, address })));
    view.diagnostics([warning({ ...text, detail: "of the run" })]);
  }
  const { err } = terminal.written;
  expect(err.split("why it matters")).toHaveLength(2);
  expect(err).toContain("This affects 2 objects: acme_thing.a, acme_thing.b.");
  expect(err).toContain('\nWarning: S, as in the stack "web" (2 objects here: acme_thing.a, acme_thing.b)\n');
  expect(err).toContain('\nWarning: S, as in the stack "web"\n');
});
