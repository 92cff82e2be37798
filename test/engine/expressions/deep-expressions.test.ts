import { ExpressionError, parseExpression, parseTemplate } from "../../../src/engine/expressions";
import { readVariableFile } from "../../../src/engine/run/variable-file";
import { diagnosticOf } from "../state/scratch";

const nested = (levels: number, open: string, close: string) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

describe("an expression that is nested too deep ended with a RangeError, and is an error of the expression", () => {
  test.each([
    ["parentheses", "(", ")"],
    ["lists", "[", "]"],
    ["objects", "{a=", "}"],
    ["calls", "max(", ")"],
    ["templates", '"${', '}"'],
    ["signs", "-", ""],
    ["indexes", "a[", "]"],
    ["for expressions", "[for x in y: ", "]"],
  ])("%s", (_, open, close) => {
    expect(() => parseExpression(nested(100, open, close))).not.toThrow();
    for (const levels of [1000, 100_000]) {
      const read = () => parseExpression(nested(levels, open, close));
      expect(read).toThrow(ExpressionError);
      expect(read).toThrow("more than 200 levels");
      expect(() => parseTemplate(`\${${nested(levels, open, close)}}`)).toThrow("more than 200 levels");
    }
  });

  test("in a file of variables too", async () => {
    const text = `a = ${nested(100_000, "[", "]")}`;
    const { code, detail } = await diagnosticOf(() => readVariableFile(text, "deep.tfvars"));
    expect(code).toBe("variable_file_invalid");
    expect(detail).toContain("more than 200 levels");
  });

  test("parts beside each other don't count", () => {
    expect(() => parseExpression(`[${"(1), ".repeat(5000)}]`)).not.toThrow();
  });
});
