import {
  parseExpression,
  parseJsonExpression,
  parseTemplate,
  parseTraversal,
  references,
  type Traversal,
} from "../../../src/language/syntax";
import { toPlain } from "../../../src/language/values";

const shown = ({ root, steps }: Traversal): string =>
  root +
  steps
    .map((step) => ("attribute" in step ? `.${step.attribute}` : `[${JSON.stringify(toPlain(step.index))}]`))
    .join("");

const found = (source: string): string[] => references(parseExpression(source)).map(shown);

describe("References", () => {
  test.each([
    ["steward_x.y.id", ["steward_x.y.id"]],
    ['steward_x.y["a"].z[0]', ['steward_x.y["a"].z[0]']],
    ["var.list.0.name", ["var.list[0].name"]],
    ["var.a + var.b * local.c", ["var.a", "var.b", "local.c"]],
    ["var.map[var.key].x", ["var.map", "var.key"]],
    ["steward_x.y[*].id", ["steward_x.y"]],
    ["steward_x.y.*.id", ["steward_x.y"]],
    ["[for x in var.list : x.id]", ["var.list"]],
    ["{for k, v in var.map : k => v.a if v.b == local.c}", ["var.map", "local.c"]],
    ["[for x in x.list : x]", ["x.list"]],
    ["[for x in [1] : [for y in x : y + z]]", ["z"]],
    ['{a = b, (c) = d, "${e}" = f}', ["b", "c", "d", "e", "f"]],
    ["f(a, b...)", ["a", "b"]],
    ["a ? b : c", ["a", "b", "c"]],
    ["try(a.b, null)", ["a.b"]],
    ["(a).b", ["a"]],
    ["a::b(c)", ["c"]],
  ])("the references in %s are all names except the local variables of `for`", (source, expected) => {
    expect(found(source)).toEqual(expected);
  });

  test("the references of a template include the names in its directives, such as %{ if }", () => {
    const source = "a ${b} %{ if c }${d}%{ else }${e}%{ endif } %{ for x in f }${x}${g}%{ endfor } $${h}";
    expect(references(parseTemplate(source)).map(shown)).toEqual(["b", "c", "d", "e", "f", "g"]);
  });

  test("the references of a JSON structure include the names in its keys", () => {
    const json = { "${a}": ["${b.c}", 1, null, { d: "x ${e}" }] };
    expect(references(parseJsonExpression(json)).map(shown)).toEqual(["a", "b.c", "e"]);
  });

  test("each reference contains its position in the text", () => {
    const source = "x ${var.a.b} y";
    const [reference] = references(parseTemplate(source));
    expect(source.slice(reference!.range.start, reference!.range.end)).toBe("var.a.b");
    expect(reference!.steps.map(({ range }) => source.slice(range.start, range.end))).toEqual([".a", ".b"]);
  });
});

describe("parseTraversal", () => {
  test.each([
    ["steward_x.y", "steward_x.y"],
    ['steward_x.y["a"].z[0]', 'steward_x.y["a"].z[0]'],
    ["${steward_x.y}", "steward_x.y"],
    ["data.steward_project.web[1]", "data.steward_project.web[1]"],
    ["name", "name"],
  ])("parseTraversal accepts %s", (source, expected) => {
    expect(shown(parseTraversal(source))).toBe(expected);
  });

  test.each(["", "a.", "a[b]", "f(x)", "1", "a b", "a[*]", "x ${a}", '"a"'])(
    "parseTraversal refuses %j",
    (source) => {
      expect(() => parseTraversal(source)).toThrow();
    },
  );
});
