import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { parseHandwrittenJson, RepeatedKeyError } from "../../../src/json";
import { type Configuration, loadConfiguration } from "../../../src/language";
import { REPEATED } from "./support/repeated";

const folder = mkdtempSync(path.join(tmpdir(), "steward-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));

function load(text: string): Configuration {
  writeFileSync(path.join(folder, "main.tf.json"), text);
  return loadConfiguration(folder);
}

test.each(REPEATED)("Steward accepts or rejects a repeated key as Terraform does: %s", (_, text, verdict) => {
  const attempt = () => void load(text);
  if (verdict === "refused") expect(attempt).toThrow();
  else expect(attempt).not.toThrow();
});

test('if a key such as "resource" is repeated, the blocks of each occurrence are loaded', () => {
  const { resources, outputs } = load(
    '{"resource":{"a_b":{"x":{}},"a_b":{"y":{}}},"output":{"o":{"value":1}},"resource":{"a_c":{"z":{}}},"output":{"p":{"value":1}}}',
  );
  expect([...resources.keys()]).toEqual(["a_b.x", "a_b.y", "a_c.z"]);
  expect([...outputs.keys()]).toEqual(["o", "p"]);
});

test("the error for a repeated key contains the line and column of both occurrences", () => {
  expect(() => load('{\n  "output": {\n    "a": {"value": 1},\n    "a": {"value": 2}\n  }\n}')).toThrow(
    /main\.tf\.json.*the key "a" twice.*line 3, column 5 and at line 4, column 5/s,
  );
});

test("JSON without repeated keys gives the same value as JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseHandwrittenJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test("if JSON has a repeated key at any depth, parseHandwrittenJson throws an error", () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (key, one, other) => {
      const entry = `${JSON.stringify(key)}: ${JSON.stringify(one)}`;
      const text = `[${JSON.stringify(other)}, {"around": {${entry},\n${entry}}}]`;
      expect(() => parseHandwrittenJson(text)).toThrow(RepeatedKeyError);
    }),
  );
});

test.each(["terraform.tfvars.json", "x.tf.json"])("if a file is not UTF-8, loading fails", (name) => {
  const file = path.join(folder, name);
  writeFileSync(file, Buffer.from('{"output":{"a":{"value":"\xe9"}}}', "latin1"));
  expect(() => loadConfiguration(file)).toThrow("it is not UTF-8");
  writeFileSync(file, '\uFEFF{"output":{"a":{"value":1}}}');
  expect([...loadConfiguration(file).outputs.keys()]).toEqual(["a"]);
  rmSync(file);
});
