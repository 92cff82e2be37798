import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readOwners } from "../../../src/cli/ci/owners";
import { readFixture } from "../../../src/service/fixture/source";
import { usePlace } from "../support/place";

const place = usePlace("all");

const POLICY =
  'module.exports = [{ name: "r", why: "W.", types: ["steward_project"], checkChange: () => [], data: require("./data.json") }];';

/**
 * Hand-written files that contain a name twice. Each row has the command that reads the file, the error code, and the place
 * of the name.
 */
const FILES: readonly (readonly [
  file: string,
  text: string,
  command: string,
  code: string,
  places: string,
])[] = [
  [
    "w.yaml",
    "- rule: a\n  rule: b\n",
    "drift --config . --ignore w.yaml",
    "invalid_ignore_file",
    "line 1, column 3 and at line 2, column 3",
  ],
  [
    "w.yaml",
    "waivers: []\nwaivers: []\n",
    "plan --config . --waivers w.yaml",
    "invalid_ignore_file",
    "line 1, column 1 and at line 2, column 1",
  ],
  [
    "data.json",
    '{"most": 1,\n"most": 2}',
    "plan --config . --policy policy.js",
    "policy_unusable",
    "line 1, column 2 and at line 2, column 1",
  ],
  [
    "cdktf.json",
    '{"app": "true",\n"app": "false"}',
    "plan",
    "app_unknown",
    "line 1, column 2 and at line 2, column 1",
  ],
  [
    "terraform.tfvars",
    "a = 1\na = 2\n",
    "plan --config .",
    "variable_file_invalid",
    "line 1, column 1 and at line 2, column 1",
  ],
  [
    "terraform.tfvars.json",
    '{"a": 1,\n"a": 2}',
    "plan --config .",
    "variable_file_invalid",
    "line 1, column 2 and at line 2, column 1",
  ],
  [
    "x.tf.json",
    '{"output": {"a": {"value": 1},\n"a": {"value": 2}}}',
    "plan --config .",
    "configuration_invalid",
    "line 1, column 13 and at line 2, column 1",
  ],
  [
    "approval.json",
    '{"format": 1,\n"format": 1}',
    "apply --config . --approved approval.json --digest DIGEST",
    "approval_invalid",
    "line 1, column 2 and at line 2, column 1",
  ],
];

test.each(FILES)(
  "if a name occurs twice in %s, the command fails, and the error contains both positions",
  async (file, text, command, code, places) => {
    place.write("policy.js", POLICY);
    writeFileSync(path.join(place.folder, file), text);
    const { code: exit, err } = await place.run(
      command.replace("DIGEST", createHash("sha256").update(text).digest("hex")).split(" "),
    );
    rmSync(path.join(place.folder, file));
    expect({ exit, err: err.replace(/\s+│?\s*/g, " ") }).toEqual({
      exit: 1,
      err: expect.stringContaining(places),
    });
    expect(err).toContain(code);
  },
);

test("if a fixture has the same key twice, the error contains both positions", () => {
  expect(() => readFixture("projects: []\nusers: []\nprojects: []\n")).toThrow(
    'The fixture has the key "projects" twice in one mapping, at line 1, column 1 and at line 3, column 1',
  );
});

test("if an owners file contains a path on two lines, the error contains both line numbers", () => {
  const text = "acme/* @maya\n# all\nacme/* @devon\nacme/web @maya\n";
  expect(() => readOwners(text, "OWNERS")).toThrow("OWNERS names acme/* twice, on line 1 and on line 3");
  expect(readOwners(text.replace("*", "shop-*"), "OWNERS")("acme/shop-a")).toEqual(["@devon"]);
});
