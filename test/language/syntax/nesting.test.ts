import { readVariableFile } from "../../../src/engine/source/variables";
import { ExpressionError, evaluate, parseExpression, parseTemplate } from "../../../src/language/syntax";
import { diagnosticOf } from "../../state/scratch";

// The kinds of deeply nested expressions. No expression may end with the internal error "Maximum call stack size
// exceeded".

const DEEP: Readonly<Record<string, (levels: number) => string>> = {
  parentheses: (levels) => `${"(".repeat(levels)}1${")".repeat(levels)}`,
  lists: (levels) => `${"[".repeat(levels)}1${"]".repeat(levels)}`,
  objects: (levels) => `${"{ a = ".repeat(levels)}1${" }".repeat(levels)}`,
  templates: (levels) => `${'"${'.repeat(levels)}1${'}"'.repeat(levels)}`,
  "minus signs": (levels) => `${"-".repeat(levels)}1`,
  negations: (levels) => `${"!".repeat(levels)}true`,
  conditionals: (levels) => `${"true ? 1 : ".repeat(levels)}1`,
  sums: (levels) => `1${" + 1".repeat(levels)}`,
  calls: (levels) => `${"abs(".repeat(levels)}1${")".repeat(levels)}`,
  "for expressions": (levels) => `${"[for x in ".repeat(levels)}[]${" : x]".repeat(levels)}`,
  "steps of a call": (levels) => `abs(1)${".a".repeat(levels)}`,
  "computed indexes": (levels) => `local.a${"[local.b]".repeat(levels)}`,
};

test.each(Object.entries(DEEP))(
  "parsing %s with 100,000 levels fails with an error about the depth",
  (_, write) => {
    expect(() => parseExpression(write(100_000))).toThrow(ExpressionError);
    expect(() => parseTemplate(`\${${write(100_000)}}`)).toThrow(/nested too deeply/);
  },
);

test.each(Object.entries(DEEP).filter(([name]) => !/steps|indexes/.test(name)))(
  "%s with 90 levels can be evaluated",
  (_, write) => {
    expect(() => evaluate(parseExpression(write(90)), { resolve: () => undefined })).not.toThrow();
  },
);

test("5,000 expressions next to each other do not count as nested", () => {
  const source = Array.from({ length: 5000 }, (_, index) => `\${1 + ${index}}`).join(" ");
  expect(() => parseTemplate(source)).not.toThrow();
});

test("if a variables file has too many levels, the error has the code variable_file_invalid", async () => {
  const text = `a = ${DEEP["lists"]!(100_000)}`;
  const { code, detail } = await diagnosticOf(() => readVariableFile(text, "deep.tfvars"));
  expect(code).toBe("variable_file_invalid");
  expect(detail).toContain("too many nested levels");
});
