import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { variablesFor } from "../../../src/cli/stack/variables";
import { loadConfiguration } from "../../../src/engine/config";

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

describe("the values of variables", () => {
  test("come from the environment, from files that are read by themselves, and from the line; the later wins", () => {
    write("terraform.tfvars.json", { a: "terraform", b: "terraform", c: "terraform", d: "terraform" });
    write("x.auto.tfvars.json", { b: "auto", c: "auto", d: "auto" });
    write("given.json", { c: "given", d: "given" });
    const env = { TF_VAR_a: "env", TF_VAR_e: "env", OTHER: "x" };
    const one = configuration("a", "b", "c", "d", "e");
    const inputs = variablesFor(
      one,
      [one],
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

  test("that only another stack declares are left out; those that none declares are left to be refused", () => {
    const one = configuration("mine");
    const other = configuration("theirs");
    const given = ["mine", "theirs", "nobodys"].map((name) => ({ from: "line" as const, name, value: "x" }));
    expect(Object.keys(variablesFor(one, [one, other], given, EMPTY))).toEqual(["mine", "nobodys"]);
  });

  test("in HCL are refused, and not passed over", () => {
    const one = configuration("a");
    const file = (name: string) => () =>
      variablesFor(one, [one], [{ from: "file", file: name }], { env: {}, folder });
    expect(file("prod.tfvars")).toThrow("not from HCL");
    expect(file("missing.tfvars.json")).toThrow("ENOENT");
    write("list.json", []);
    expect(file("list.json")).toThrow("its root is no object");
    writeFileSync(path.join(folder, "terraform.tfvars"), 'a = "b"');
    expect(() => variablesFor(one, [one], [], EMPTY)).toThrow("not from HCL");
  });
});
