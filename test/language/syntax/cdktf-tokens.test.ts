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

describe("the output of cdktf for combined tokens", () => {
  const token = Token.asNumber(Fn.lengthOf(["a"]));

  test("the error of a number token inside a text names the token", () => {
    expect(refusal(`level ${token} of it`)).toBe(`Number token within a text at ${token}`);
    expect(refusal(`\${join(",", ["a", "${token}"])}`)).toContain("Number token within a text");
    expect(refusal(`\${max(1, ${token})}`)).toContain("Number token within a text");
    expect(refusal(`x${token}`)).toBe(`Number token within a text at ${token}`);
  });

  test("a token that arithmetic has changed is an error", () => {
    expect(refusal("8.109548235623874e+298")).toContain("Number token within a text");
    expect(refusal({ level: token * 2 })).toContain("Number token within a text");
    expect(refusal({ level: [1, token] })).toContain("Number token within a text");
  });

  test("the error of `undefined` in an expression names `undefined`", () => {
    const nothing: unknown = undefined;
    expect(refusal(`\${steward_project.${nothing}.id}`)).toBe(
      "Undefined value in an expression at steward_project.undefined.id",
    );
    expect(refusal(`\${${nothing}}`)).toBe("Undefined value in an expression at undefined");
    expect(refusal(`\${join(",", [${nothing}])}`)).toContain("Undefined value in an expression");
  });

  test('large numbers and the text "undefined" are plain values', () => {
    for (const text of ["1e+10", "1.5e300", "the value is undefined", '${"undefined"}', "2e+28"]) {
      expect(() => parseTemplate(text)).not.toThrow();
    }
  });
});
