import { ConfigurationSource } from "../../../src/adopt";
import { createProvider } from "../../../src/provider";
import type { Value, ValueObject } from "../../../src/schema";

// `drift --accept` writes a live value into HCL. The command changes only the bytes of the value, and only if the file
// contains the declared value literally.

const TYPE = "steward_protected_environment";
const { attributes } = createProvider().schema.resources[TYPE]!;

function accept(lines: readonly string[], attribute: string, declared: Value, live: Value) {
  const all = [`resource "${TYPE}" "live" {`, ...lines.map((line) => `  ${line}`), "}", ""];
  const file = new ConfigurationSource(all.join("\n"), "main.tf");
  const left = file.accept({
    type: TYPE,
    name: "live",
    attribute,
    schema: attributes[attribute]!,
    declared,
    live,
  });
  const text = file.text.split("\n");
  return { left, lines: text.slice(1, -2).map((line) => line.slice(2)) };
}

const level = (access_level: number | null, user: string | null = null): ValueObject => ({
  access_level,
  user,
  group: null,
  group_inheritance_type: null,
});
const [DEVELOPERS, MAINTAINERS, MAYA] = [level(30), level(40), level(null, "maya")];
const LEVELS = "deploy_access_levels";

const COUNT = "required_approval_count";
const MAYA_ONLY = `${LEVELS} = [{ user = "maya" }]`;
const MAINTAINERS_ONLY = `${LEVELS} = [{ access_level = 40 }]`;

test.each<[string, readonly string[], Value, Value, readonly string[]]>([
  [
    "a replaced element",
    [`${LEVELS} = [{ access_level = 40 }, { user = "maya" }]`],
    [MAINTAINERS, MAYA],
    [DEVELOPERS, MAYA],
    [`${LEVELS} = [{ access_level = 30 }, { user = "maya" }]`],
  ],
  [
    "a removed element before a comment",
    [`${LEVELS} = [`, "  { access_level = 40 }, # one", '  { user: "maya" },', "]"],
    [MAINTAINERS, MAYA],
    [MAYA],
    [`${LEVELS} = [`, "  # one", '  { user: "maya" },', "]"],
  ],
  [
    "an added element after an element on several lines",
    [`${LEVELS} = [{`, "  access_level = 40", "}]"],
    [MAINTAINERS],
    [MAINTAINERS, MAYA],
    [`${LEVELS} = [{`, "  access_level = 40", '}, { user = "maya" }]'],
  ],
  [
    "elements of an empty list",
    [`${LEVELS} = []`],
    [],
    [MAINTAINERS, MAYA],
    [`${LEVELS} = [`, "  { access_level = 40 },", '  { user = "maya" },', "]"],
  ],
  ["an empty list", [MAYA_ONLY], [MAYA], [], [`${LEVELS} = []`]],
  [
    "an escaped text with an escaped key",
    [`${LEVELS} = [{ "user" = "m\\u0061ya" }]`],
    [MAYA],
    [MAINTAINERS],
    [MAINTAINERS_ONLY],
  ],
])("drift --accept writes the live value into an HCL file: %s", (_, before, declared, live, after) => {
  expect(accept(before, LEVELS, declared, live)).toEqual({ left: undefined, lines: after });
});

test.each<[string, readonly string[]]>([
  ["brackets in a comment", ['name = "x" /* [ */']],
  ["brackets in a heredoc", ["name = <<EOT", "} [", "EOT"]],
  ["brackets in texts and comments of a call", ["name = f(", '  "}\\"", # ]', "  /* ) */ 1)"]],
  ["the same name in a nested block", ["lifecycle {", `  ${LEVELS} = 1`, "}"]],
  ["a comparison", [`${LEVELS} == 1`]],
])("drift --accept changes a value that follows %s in an HCL file", (_, head) => {
  expect(accept([...head, MAYA_ONLY], LEVELS, [MAYA], [MAINTAINERS])).toEqual({
    left: undefined,
    lines: [...head, MAINTAINERS_ONLY],
  });
});

test("drift --accept writes a number into an HCL file", () => {
  expect(accept([`${COUNT} = 2 // two`], COUNT, 2, 3)).toEqual({
    left: undefined,
    lines: [`${COUNT} = 3 // two`],
  });
});

test.each<[string, string, Value, string]>([
  [`${LEVELS} = [{ user = "\${var.user}" }]`, LEVELS, [MAYA], `${LEVELS} is not a literal value`],
  [`${LEVELS} = [{ user = var.user }]`, LEVELS, [MAYA], `${LEVELS} is not a literal value`],
  [`${LEVELS} = concat([{ user = "maya" }], [])`, LEVELS, [MAYA], `${LEVELS} is not a literal value`],
  [`${COUNT} = 2 + 1`, COUNT, 2, `${COUNT} is not a literal value`],
  [`${COUNT} = 2`, COUNT, 1, `${COUNT} is overridden elsewhere`],
  ['name = "x"', COUNT, 2, `${COUNT} is not written in the file`],
])("drift --accept does not change the HCL line %s", (line, attribute, declared, why) => {
  expect(accept([line], attribute, declared, [MAINTAINERS])).toEqual({ left: why, lines: [line] });
});

test("drift --accept does not change a value in an HCL block with count, because the block declares several objects", () => {
  const lines = ["count = 2", `${COUNT} = 2`];
  expect(accept(lines, COUNT, 2, 3)).toEqual({ left: "it declares several objects", lines });
});
