import { Fn, Token } from "cdktf";
import { ExpressionError, parseJsonExpression, parseTemplate } from "../../../src/language/syntax";
import { partOf } from "./scope";

const refusal = (json: unknown): string => {
  try {
    parseJsonExpression(json);
    return "";
  } catch (error) {
    if (error instanceof ExpressionError) return `${error.summary} at ${partOf(String(json), error)}`;
    throw error;
  }
};

describe("tokens of cdktf that the app combined with other values", () => {
  const token = Token.asNumber(Fn.lengthOf(["a"]));

  test("if a number token of cdktf is inside a text, the error points to the token", () => {
    expect(refusal(`level ${token} of it`)).toBe(`Number token within a text at ${token}`);
    expect(refusal(`\${join(",", ["a", "${token}"])}`)).toContain("Number token within a text");
    expect(refusal(`\${max(1, ${token})}`)).toContain("Number token within a text");
    expect(refusal(`x${token}`)).toBe(`Number token within a text at ${token}`);
  });

  test("an error reports a number token that the app doubled or put into a list", () => {
    expect(refusal("8.109548235623874e+298")).toContain("Number token within a text");
    expect(refusal({ level: token * 2 })).toContain("Number token within a text");
    expect(refusal({ level: [1, token] })).toContain("Number token within a text");
  });

  test("if an expression contains `undefined`, the error shows the part with `undefined`", () => {
    const nothing: unknown = undefined;
    expect(refusal(`\${steward_project.${nothing}.id}`)).toBe(
      "Undefined value in an expression at steward_project.undefined.id",
    );
    expect(refusal(`\${${nothing}}`)).toBe("Undefined value in an expression at undefined");
    expect(refusal(`\${join(",", [${nothing}])}`)).toContain("Undefined value in an expression");
  });

  test('large numbers and texts with the word "undefined" are accepted', () => {
    for (const text of ["1e+10", "1.5e300", "the value is undefined", '${"undefined"}', "2e+28"]) {
      expect(() => parseTemplate(text)).not.toThrow();
    }
  });
});
