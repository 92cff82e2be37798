import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fail } from "../../../src/diagnostics";
import { type GivenVariable, variablesFor as variablesOf } from "../../../src/engine/source/variables";
import { type Configuration, configurationFrom, loadConfiguration } from "../../../src/language";
import { VARIABLE_FILES } from "./support/variable-files";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-variables-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, json: unknown) => writeFileSync(path.join(folder, name), JSON.stringify(json));

function configuration(...variables: string[]) {
  write("main.tf.json", { variable: Object.fromEntries(variables.map((name) => [name, [{}]])) });
  return loadConfiguration(folder);
}

const EMPTY = { env: {}, folder: "/nowhere" };

/** Loads the stacks of an app in a folder, or a configuration without an app. */
const loaded = (
  stacks: readonly Configuration[],
  { unselected = [], app }: { unselected?: readonly (() => Configuration)[]; app?: string } = {},
) => ({
  stacks: stacks.map((configuration, index) => ({
    name: `stack${index}`,
    constructPath: undefined,
    dependencies: [],
    configuration,
  })),
  unselected: unselected.map((load, index) => ({ name: `other${index}`, load })),
  variableFolders: ({ folder: own }: Configuration) => (app === undefined ? [own] : [app, own]),
});

/** Returns the values of the variables for one of the loaded stacks. */
const variablesFor = (
  one: Configuration,
  { stacks, unselected, variableFolders }: ReturnType<typeof loaded>,
  given: readonly GivenVariable[],
  environment: Parameters<typeof variablesOf>[2],
) =>
  variablesOf(
    {
      own: one.variables,
      isSelected: (name) => stacks.some((stack) => stack.configuration.variables.has(name)),
      unselected,
      folders: variableFolders(one),
    },
    given,
    environment,
  );

describe("the values of variables", () => {
  test("variables come from the environment, files and the command line, in the order of increasing priority", () => {
    write("terraform.tfvars.json", { a: "terraform", b: "terraform", c: "terraform", d: "terraform" });
    write("x.auto.tfvars.json", { b: "auto", c: "auto", d: "auto" });
    write("given.json", { c: "given", d: "given" });
    const env = { TF_VAR_a: "env", TF_VAR_e: "env", OTHER: "x" };
    const one = configuration("a", "b", "c", "d", "e");
    const inputs = variablesFor(
      one,
      loaded([one]),
      [
        { from: "line", name: "c", value: "lost" },
        { from: "file", file: "given.json" },
        { from: "line", name: "d", value: "line" },
      ],
      { env, folder },
    );
    const values = Object.entries(inputs).map(([name, input]) => [
      name,
      input.from === "text" ? input.text : input.json,
      input.origin.replace(`${folder}${path.sep}`, ""),
    ]);
    expect(values.sort()).toEqual([
      ["a", "terraform", "terraform.tfvars.json"],
      ["b", "auto", "x.auto.tfvars.json"],
      ["c", "given", "given.json"],
      ["d", "line", "--var"],
      ["e", "env", "TF_VAR_e"],
    ]);
  });

  test("the engine ignores a variable's value for a stack if only another stack declares this variable", () => {
    const one = configuration("mine");
    const other = configuration("theirs");
    const given = ["mine", "theirs", "nobodys"].map((name) => ({ from: "line" as const, name, value: "x" }));
    expect(Object.keys(variablesFor(one, loaded([one, other]), given, EMPTY))).toEqual(["mine", "nobodys"]);
  });

  test("a stack uses the variables files next to cdktf.json, but its own variables files have priority", () => {
    const app = mkdtempSync(path.join(tmpdir(), "steward-app-"));
    const inApp = (name: string, json: unknown) => writeFileSync(path.join(app, name), JSON.stringify(json));
    inApp("terraform.tfvars.json", { a: "terraform", b: "terraform", c: "terraform", d: "terraform" });
    writeFileSync(path.join(app, "terraform.tfvars"), 'a = "hcl"\ne = "hcl"');
    inApp("a.auto.tfvars.json", { b: "first", c: "first", d: "first" });
    inApp("b.auto.tfvars.json", { c: "second", d: "second" });
    write("terraform.tfvars.json", { d: "own" });
    const one = configuration("a", "b", "c", "d", "e");
    const inputs = variablesFor(one, loaded([one], { app }), [], EMPTY);
    rmSync(app, { recursive: true });
    const values = Object.entries(inputs).map(([name, input]) => [name, "json" in input && input.json]);
    expect(Object.fromEntries(values)).toEqual({
      a: "terraform",
      b: "first",
      c: "second",
      d: "own",
      e: "hcl",
    });
  });

  test("the engine ignores a variables file's values for an unselected stack, even if the stack can't be loaded", () => {
    write("x.auto.tfvars.json", { a: 1, theirs: 1, nobodys: 1 });
    const one = configuration("a");
    const other = configurationFrom({ variable: { theirs: {} } }, folder);
    const line = [{ from: "line" as const, name: "theirs", value: "x" }];
    const names = (unselected: () => Configuration, given: readonly GivenVariable[] = []) =>
      Object.keys(variablesFor(one, loaded([one], { unselected: [unselected] }), given, EMPTY));
    expect(names(() => other)).toEqual(["a", "nobodys"]);
    expect(names(() => other, line)).toEqual(["a", "theirs", "nobodys"]);
    expect(names(() => fail({ code: "configuration_invalid", summary: "x", detail: "x" }))).toEqual(["a"]);
  });

  const fileOf = (name: string) => {
    const one = configuration("a");
    return () => variablesFor(one, loaded([one]), [{ from: "file", file: name }], { env: {}, folder });
  };

  test("the engine reads variables files in HCL", () => {
    const text =
      'a = "$${x}" # a comment\nb = [\n  1, 2,\n]\n/* another */\nc = { d = true, "e f" = <<E\nlong\nE\n}\n';
    writeFileSync(path.join(folder, "prod.tfvars"), text);
    const values = Object.entries(fileOf("prod.tfvars")()).map(([name, input]) => [
      name,
      input.from === "json" ? JSON.parse(JSON.stringify(input.json)) : undefined,
    ]);
    expect(Object.fromEntries(values)).toEqual({
      a: "${x}",
      b: [1, 2],
      c: { d: true, "e f": "long\n" },
    });
    writeFileSync(path.join(folder, "terraform.tfvars"), 'a = "b"');
    const one = configuration("a");
    expect(variablesFor(one, loaded([one]), [], EMPTY)["a"]).toMatchObject({ json: "b" });
  });

  test.each([
    ["prod.tfvars", 'a = "x"\nb = foo\n', /prod.tfvars, line 2: .*foo/],
    ["prod.tfvars", "a = 1 b = 2", /line 1/],
    ["list.json", "[]", /its root is not an object/],
  ])("a variables file %s with %j is rejected", (name, text, why) => {
    writeFileSync(path.join(folder, name), text);
    expect(fileOf(name)).toThrow(why);
  });

  test.each(VARIABLE_FILES)(
    "the engine accepts or rejects HCL in a variables file as Terraform does: %s",
    (_, text, verdict) => {
      writeFileSync(path.join(folder, "prod.tfvars"), text);
      if (verdict === "refused") expect(fileOf("prod.tfvars")).toThrow(/prod\.tfvars, line \d+: /);
      else expect(fileOf("prod.tfvars")).not.toThrow();
    },
  );

  test.each([
    ["prod.tfvars", "a = 1\n  a = 2\n", /"a" is set twice, at line 1, column 1 and at line 2, column 3/],
    ["prod.json", '{\n"a": 1,\n"a": 2}', /"a" twice.*at line 2, column 1 and at line 3, column 1/],
  ])("a variable that is set twice in %s is rejected with both positions", (name, text, why) => {
    writeFileSync(path.join(folder, name), text);
    expect(fileOf(name)).toThrow(why);
  });

  test("the engine ignores comments in a JSON variables file", () => {
    writeFileSync(path.join(folder, "prod.json"), '{"//": "one", "//": "two", "a": 1}');
    expect(fileOf("prod.json")()).toMatchObject({ a: { json: 1 } });
    expect(Object.keys(fileOf("prod.json")())).toEqual(["a"]);
  });

  test("if a variables file is missing, the engine reports an error", () => {
    for (const name of ["missing.tfvars", "missing.tfvars.json"]) expect(fileOf(name)).toThrow("ENOENT");
  });
});
