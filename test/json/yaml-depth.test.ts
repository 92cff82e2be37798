import * as yaml from "yaml";
import { isYamlTooDeep, MAX_YAML_DEPTH } from "../../src/json";
import { decodeYaml } from "../../src/language/syntax/functions/yaml-decoding";
import { startService } from "../../src/service";

const DEEP: Readonly<Record<string, (levels: number) => string>> = {
  "flow sequences": (levels) => `${"[".repeat(levels)}1${"]".repeat(levels)}\n`,
  "flow mappings": (levels) => `${'{"a": '.repeat(levels)}1${"}".repeat(levels)}\n`,
  sequences: (levels) => `${"- ".repeat(levels)}1\n`,
  mappings: (levels) => Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
};

describe.each(Object.entries(DEEP))("YAML with nested %s", (_, write) => {
  test("the YAML reader accepts the maximum depth, and reports an error for a deeper text", () => {
    expect(isYamlTooDeep(yaml, write(MAX_YAML_DEPTH - 5))).toBe(false);
    expect(isYamlTooDeep(yaml, write(MAX_YAML_DEPTH + 5))).toBe(true);
    expect(() => yaml.parse(write(MAX_YAML_DEPTH - 5))).not.toThrow();
  });

  test("if a fixture is nested too deeply, the service does not start, and the error names the limit", async () => {
    await expect(startService({ fixture: write(2000) })).rejects.toThrow(/nested more than \d+ levels deep/);
  });

  test("yamldecode refuses a text that is nested too deeply", () => {
    expect(() => decodeYaml(write(2000))).toThrow(/nested more than \d+ levels deep/);
  });
});
