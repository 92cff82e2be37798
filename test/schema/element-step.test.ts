import { formatPath } from "../../src/diagnostics";
import { leftAlone, stepTo, UNKNOWN, unset } from "../../src/schema";

const described = (element: unknown, type = rules) => formatPath(["rules", stepTo(type, element, 3)]);
const { type: rules } = unset.setOf(
  {
    user: unset.reference("user", { description: "Whom." }),
    level: unset.number({ description: "Which." }),
    count: leftAlone.number({ description: "How many.", default: 1 }),
    secret: unset.string({ description: "Not shown.", sensitive: true }),
  },
  { description: "Rules." },
);
const { type: names } = unset.setOfStrings({ description: "Names." });
const { type: steps } = unset.listOf(
  { name: unset.string({ description: "Its name." }) },
  { description: "Steps." },
);

test.each([
  [
    "by what it names, without what has a default",
    { user: "ada", level: null, count: 2 },
    'rules[user "ada"]',
  ],
  ["by a reference's path", { user: { id: 4, path: "ada" } }, 'rules[user "ada"]'],
  ["by a reference's id where there is no path", { user: { id: 4 } }, 'rules[user "4"]'],
  ["by all that it names", { user: "ada", level: 40 }, 'rules[user "ada", level 40]'],
  ["by what has a default where there is nothing else", { count: 2 }, "rules[count 2]"],
  ["without a secret", { level: 40, secret: "s3cret" }, "rules[level 40]"],
  ["as not known yet", { user: UNKNOWN }, "rules[user (known after apply)]"],
  ["as empty", {}, "rules[{}]"],
  ["as null", null, "rules[null]"],
])("an element of a set is named %s", (_, element, path) => {
  expect(described(element)).toBe(path);
});

test("an element of a set of texts is named by its text, which is cut where it is long", () => {
  expect(described("acme/docs", names)).toBe('rules["acme/docs"]');
  expect(described("x".repeat(300), names)).toBe(`rules["${"x".repeat(79)}…]`);
  expect(described({ a: 1 }, names)).toBe('rules[{"a":1}]');
});

test("an element of a list keeps its position", () => {
  expect(described({ name: "build" }, steps)).toBe("rules[3]");
});
