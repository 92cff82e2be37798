import {
  ExpressionError,
  evaluate,
  parseExpression,
  parseJsonExpression,
  parseTemplate,
  type Scope,
  StaticExpressionError,
  type Traversal,
} from "../../../src/language/syntax";
import { number, object, string, toPlain, tuple } from "../../../src/language/values";
import { evaluated, partOf, scopeOf } from "./scope";

const errorOf = (body: () => unknown): ExpressionError => {
  try {
    body();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error("there is no error");
};

describe("names in expressions, which the host resolves", () => {
  const asked: Traversal[] = [];
  const scope: Scope = {
    resolve(traversal) {
      asked.push(traversal);
      const instance = object({ id: string("7"), tags: tuple([string("a")]) });
      return traversal.root === "steward_x" ? { value: instance, consumed: 1 } : undefined;
    },
  };

  test("the evaluation reads attributes and elements from the values that the host returns", () => {
    const value = evaluate(parseTemplate("${steward_x.y.id}-${steward_x.z.tags[0]}"), scope);
    expect(toPlain(value)).toBe("7-a");
    expect(asked.map(({ steps }) => steps.length)).toEqual([2, 3]);
  });

  test("the host does not resolve the variables of a `for` expression", () => {
    expect(toPlain(evaluated("[for id in ids : id]", { ids: tuple([number(1)]), id: number(9) }))).toEqual([
      1,
    ]);
  });

  test("a name that does not exist causes an error, even inside try()", () => {
    const source = "try(vars.x, 1)";
    const error = errorOf(() => evaluated(source, { var: object({}) }));
    expect(error).toBeInstanceOf(StaticExpressionError);
    expect(error.detail).toBe('There is nothing named "vars" here.');
    expect(partOf(source, error)).toBe("vars.x");
  });

  test("if the host throws an ExpressionError for a missing instance, try() uses its next argument", () => {
    const host: Scope = {
      resolve: ({ range }) => {
        throw new ExpressionError("Invalid index", "No such instance.", range);
      },
    };
    expect(toPlain(evaluate(parseExpression("try(steward_x.y[5], 1)"), host))).toBe(1);
    expect(() => evaluate(parseExpression("steward_x.y[5]"), host)).toThrow("No such instance.");
  });

  test("if the host throws a RangeError, the evaluation throws the same error, even inside try()", () => {
    const host: Scope = {
      resolve: () => {
        throw new RangeError("the host is broken");
      },
    };
    expect(() => evaluate(parseExpression("try(a, 1)"), host)).toThrow(RangeError);
  });
});

describe("errors in expressions", () => {
  test.each([
    ["1 + x.name", "x.name", "Unsuitable value for the right operand: a number is required."],
    ["x.nam", ".nam", 'This object does not have an attribute named "nam". Did you mean "name"?'],
    ["x.list[3]", "[3]", "it has 1 element, and the first is [0]."],
    ["x.list[-1]", "[-1]", "an index must not be negative."],
    ['x["nam"]', '["nam"]', 'in this collection value. Did you mean "name"?'],
    ['x[sensitive("nam")]', '[sensitive("nam")]', "in this collection value."],
    ["x[0]", "[0]", "The attributes of an object have names, not positions."],
    ['x.map["nam"]', '["nam"]', 'in this collection value: there is no key "nam". Did you mean "name"?'],
    ['x.map[sensitive("nam")]', '[sensitive("nam")]', "in this collection value."],
    ["uper(x.name)", "uper", 'There is no function named "uper". Did you mean "upper"?'],
    ["upper(x.list)", "x.list", 'Invalid value for "str": string required.'],
    ["upper()", "upper()", '"str" is missing.'],
    ["upper(x.name, 1)", "1", "takes 1 argument(s), not 2."],
    ["cidrhost(x.name, 1)", "x.name", "is not a network in CIDR notation"],
    ["element([], 0)", "[]", "an empty list has no elements"],
    ["null.a", ".a", "This value is null"],
    ["{(null) = 1}", "(null)", "Null cannot be the name of an attribute."],
    ["{for k in [1, 1] : k => k}", "k", 'Two elements have the key "1".'],
    ['"a ${x.list} b"', "x.list", "The value can't be part of a text: string required."],
    ["true ? [1] : x", "[1] : x", "The result for true is tuple, the one for false object."],
  ])("the error of evaluating %s points at %s", (source, text, detail) => {
    const map = evaluated('tomap({ name = "n" })');
    const values = { x: object({ name: string("n"), list: tuple([number(1)]), map }) };
    const error = errorOf(() => evaluated(source, values));
    expect(partOf(source, error)).toBe(text);
    expect(error.detail).toContain(detail);
    if (source.includes("sensitive")) expect(error.detail).not.toContain('"nam');
  });

  test.each([
    ["1 +", "", "Expected the start of an expression, but found the end of the text."],
    ["(1", "", 'Expected ")" but found the end of the text'],
    ["[1 2]", "2", "the elements of a tuple are separated by commas"],
    ["{a 1}", "1", 'a key must be followed by "=" or ":" and its value'],
    ['"abc', "", "The text has no closing quote."],
    ['"a\\q"', "\\q", '"\\q" is not an escape sequence'],
    ["a.0.1", "0.1", "Write [0][1] instead."],
    ["1..2", "1..2", '"1..2" is not a number.'],
    ["1e400000", "1e400000", "has an exponent that is too large or too small"],
    ["[for x in y : x => x]", "=>", "because a tuple has no keys"],
    ["a @ b", "@", 'The expression is complete before "@".'],
  ])("the syntax error of %s points at %j", (source, text, detail) => {
    const error = errorOf(() => parseExpression(source));
    expect(partOf(source, error)).toBe(text);
    expect(error.detail).toContain(detail);
  });

  test("the evaluation reports all errors of an expression at once", () => {
    const source = '[1 + "x", null.a, upper([])]';
    const error = errorOf(() => evaluated(source));
    expect([error, ...error.others].map((one) => partOf(source, one))).toEqual(['"x"', ".a", "[]"]);
  });

  test("if an expression inside a JSON structure fails, the error contains the path of this expression", () => {
    const parsed = parseJsonExpression({ rules: [{ name: "x" }, { name: "${[]} x" }] });
    const error = errorOf(() => evaluate(parsed, scopeOf({})));
    expect([error.path, partOf("${[]} x", error)]).toEqual([["rules", 1, "name"], "[]"]);
    const unparsed = errorOf(() => parseJsonExpression({ rules: ["${"] }));
    expect(unparsed.path).toEqual(["rules", 0]);
  });

  test("an error in the unused branch of a conditional is not reported", () => {
    expect(toPlain(evaluated("false ? null.a : 1"))).toBe(1);
    const source = "true ? null.a : 1";
    expect(
      partOf(
        source,
        errorOf(() => evaluated(source)),
      ),
    ).toBe(".a");
  });

  test("an error about a sensitive value does not show the value", () => {
    const secret = { s: string("hunter2").markSensitive() };
    for (const source of [
      "tonumber(s)",
      "lookup({a = 1}, s)",
      "{a = 1}[s]",
      "tobool(s)",
      "1 + s",
      "tomap({a = 1})[s]",
      "cidrhost(s, 1)",
      "formatdate(s, s)",
      "parseint(s, 10)",
      "{for x in [s, s] : x => 1}",
    ]) {
      const error = errorOf(() => evaluated(source, secret));
      expect(`${error.message} ${error.detail}`).not.toContain("hunter2");
    }
  });
});

describe("functions that depend on more than their arguments", () => {
  test.each([
    "file",
    "templatefile",
    "fileexists",
    "timestamp",
    "plantimestamp",
    "uuid",
    "bcrypt",
    "abspath",
  ])("the function %s is refused, and the error suggests terraform plan", (name) => {
    const source = `try(${name}("x"), 1)`;
    const error = errorOf(() => evaluated(source));
    expect(error).toBeInstanceOf(StaticExpressionError);
    expect(error.action).toEqual({ kind: "other", program: "terraform plan" });
    expect(partOf(source, error)).toBe(name);
  });
});

describe("Sensitive values", () => {
  test("a text or number that is computed from a sensitive value is sensitive", () => {
    const secret = { s: string("x").markSensitive() };
    expect(evaluated('"a${s}"', secret).isSensitive).toBe(true);
    expect(evaluated("[s, 1]", secret).isSensitive).toBe(false);
    expect(evaluated("[s, 1][0]", secret).isSensitive).toBe(true);
    expect(evaluated("abs(-1)", secret).isSensitive).toBe(false);
    expect(evaluated("abs(s2)", { s2: number(-1).markSensitive() }).isSensitive).toBe(true);
  });
});

test("rows.0.user, the syntax of older cdktf releases, has the same value as rows[0].user", () => {
  const rows = tuple([object({ user: string("devon") })]);
  for (const text of ["tolist(rows).0.user", "rows.0.user", "rows[0].user"])
    expect(toPlain(evaluate(parseExpression(text), scopeOf({ rows })))).toBe("devon");
});

test("the error for a function of another provider suggests running Terraform", () => {
  const error = errorOf(() => evaluate(parseExpression("try(provider::acme::parse(1), 2)"), scopeOf({})));
  expect(error.detail).toContain(
    "which belongs to another provider, is not supported by the embedded engine. Run Terraform on this configuration.",
  );
});
