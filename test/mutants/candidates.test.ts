import { candidatesOf } from "../../scripts/mutants/random/candidates";

/** Returns the whole text of each mutant of a text. */
const mutantsOf = (text: string): string[] =>
  candidatesOf(text).map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end));

test.each([
  ["a condition", "if (a) b;", ["if (!(a)) b;", "if (a) {}"]],
  ["a negation", "if (!a) b;", ["if (a) b;", "if (!a) {}"]],
  ["a condition of an expression", "const x = a ? b : c;", ["const x = !(a) ? b : c;"]],
  ["a comparison", "const x = hour < y;", ["const x = hour <= y;"]],
  ["a comparison with a constant", "const x = y > 0;", ["const x = y >= 0;", "const x = y > 1;"]],
  ["a logical operator", "const x = a && b;", ["const x = a || b;"]],
  ["an operator that its sides contain", 'const x = "+" + y;', ['const x = "" + y;', 'const x = "+" - y;']],
  ["a step", "x++;", ["{}", "x--;"]],
  ["a statement of several lines", "a(\n  b,\n);", ["{\n\n}"]],
  ["a boolean", "const x = true;", ["const x = false;"]],
  ["an empty text", 'const x = "";', ['const x = "mutant";']],
])("mutantsOf returns every mutant of the code %s", (_, text, mutants) => {
  expect(mutantsOf(text).sort()).toEqual([...mutants].sort());
});

test.each([
  ["imports", 'import { a } from "b";'],
  ["types", 'type A = "a" | 1; interface B { readonly c: true }'],
  ["declarations", "declare const a: 1;"],
  ["modules that are exported from", 'export * from "b";'],
  ["names of properties", 'const x = { "a-b": y };'],
])("mutantsOf returns no mutant of the code %s", (_, text) => {
  expect(mutantsOf(text)).toEqual([]);
});

test("the list of mutants includes an operator inside a type assertion", () => {
  expect(mutantsOf("const x = (y < z) as boolean;")).toEqual(["const x = (y <= z) as boolean;"]);
});
