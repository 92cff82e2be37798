import { formatPath } from "../../src/diagnostics";
import { elementStep, optional, optionalComputed, UNKNOWN } from "../../src/schema";

const described = (element: unknown, type = rules) => formatPath(["rules", elementStep(type, element, 3)]);
const { type: rules } = optional.setOf(
  {
    user: optional.reference("user", { description: "Whom." }),
    level: optional.number({ description: "Which." }),
    count: optionalComputed.number({ description: "How many.", default: 1 }),
    secret: optional.string({ description: "Not shown.", sensitive: true }),
  },
  { description: "Rules." },
);
const { type: names } = optional.setOfStrings({ description: "Names." });
const { type: steps } = optional.listOf(
  { name: optional.string({ description: "Its name." }) },
  { description: "Steps." },
);

test.each([
  ["by its attributes without a default", { user: "ada", level: null, count: 2 }, 'rules[user "ada"]'],
  ["by a reference's path", { user: { id: 4, path: "ada" } }, 'rules[user "ada"]'],
  ["by a reference's id where there is no path", { user: { id: 4 } }, 'rules[user "4"]'],
  ["by several attributes", { user: "ada", level: 40 }, 'rules[user "ada", level 40]'],
  ["by attributes with a default if there are no others", { count: 2 }, "rules[count 2]"],
  ["without a secret", { level: 40, secret: "s3cret" }, "rules[level 40]"],
  ["as unknown", { user: UNKNOWN }, "rules[user (known after apply)]"],
  ["as empty", {}, "rules[{}]"],
  ["as null", null, "rules[null]"],
])("an element of a set is printed %s", (_, element, path) => {
  expect(described(element)).toBe(path);
});

test("the path of an element in a set of texts contains the text, truncated if it is long", () => {
  expect(described("acme/docs", names)).toBe('rules["acme/docs"]');
  expect(described("x".repeat(300), names)).toBe(`rules["${"x".repeat(79)}…]`);
  expect(described({ a: 1 }, names)).toBe('rules[{"a":1}]');
});

test("the path of an element in a list contains the element's position, such as rules[3]", () => {
  expect(described({ name: "build" }, steps)).toBe("rules[3]");
});
