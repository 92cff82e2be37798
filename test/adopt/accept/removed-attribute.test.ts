import { ConfigurationSource } from "../../../src/adopt";
import { createProvider } from "../../../src/provider";

// The live object may lack a declared attribute. In this case, `drift --accept` removes the attribute from the declaration
// in the file.

const PUSH = "minimum_access_level_for_push";
const TYPE = "steward_container_protection_rule";
const { attributes } = createProvider().schema.resources[TYPE]!;

/** Returns the text of a file without an attribute whose value was "owner". */
function without(source: string, file: string): string {
  const configuration = new ConfigurationSource(source, file);
  const place = { type: TYPE, name: "main", attribute: PUSH, schema: attributes[PUSH]! };
  const left = configuration.accept({ ...place, declared: "owner", live: null });
  expect(left).toBeUndefined();
  return configuration.text;
}

const json = (content: string) => `{"resource":{"${TYPE}":{"main":{${content}}}}}`;

test.each([
  ["first", '"minimum_access_level_for_push":"owner","project":"a"', '"project":"a"'],
  ["in the middle", '"id":1,"minimum_access_level_for_push":"owner","project":"a"', '"id":1,"project":"a"'],
  ["last", '"project":"a","minimum_access_level_for_push":"owner"', '"project":"a"'],
  ["last after a space", '"project": "a", "minimum_access_level_for_push": "owner"', '"project": "a"'],
  [
    "last on a line",
    '\n  "project": "a",\n  "minimum_access_level_for_push": "owner"\n',
    '\n  "project": "a"\n',
  ],
  [
    "first on a line",
    '\n  "minimum_access_level_for_push": "owner",\n  "project": "a"\n',
    '\n  "project": "a"\n',
  ],
  ["the only one", '"minimum_access_level_for_push":"owner"', ""],
])(
  "if drift --accept removes an attribute from a JSON file, the file stays valid: %s",
  (_, before, after) => {
    expect(without(json(before), "main.tf.json")).toBe(json(after));
  },
);

test("drift --accept removes the whole line of an attribute from an HCL file", () => {
  const hcl = (...lines: readonly string[]) => [`resource "${TYPE}" "main" {`, ...lines, "}", ""].join("\n");
  const before = hcl('  project = "a"', '  minimum_access_level_for_push = "owner"');
  expect(without(before, "main.tf")).toBe(hcl('  project = "a"'));
});
