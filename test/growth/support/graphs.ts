import type { Operation, Scene } from "./scene";
import { numbers, type World } from "./world";

/**
 * The scenes in this file plan configurations of `terraform_data`, which need no service. These scenes show how the
 * costs depend on the shape of a configuration.
 */
interface Shape {
  readonly resources: (size: number) => Record<string, object>;
  readonly more?: (size: number) => object;
}

/** Returns the name of a resource. All names have the same length, so that comparisons cost the same at both sizes. */
const nameOf = (index: number): string => `t${String(index).padStart(5, "0")}`;
const one = (index: number): object => ({ input: { name: `thing ${index}` } });
const named = (describe: (index: number) => object) => (size: number) =>
  Object.fromEntries(numbers(size).map((index) => [nameOf(index), describe(index)]));

const SHAPES: Readonly<Record<string, Shape>> = {
  "a chain of dependencies": {
    resources: named((index) =>
      index === 0 ? one(0) : { input: `\${terraform_data.${nameOf(index - 1)}.output}` },
    ),
  },
  "many that depend on one": {
    resources: named((index) => (index === 0 ? one(0) : { input: `\${terraform_data.${nameOf(0)}.id}` })),
  },
  "one that depends on many": {
    resources: (size) => ({
      ...named(one)(size),
      last: { input: "x", depends_on: numbers(size).map((index) => `terraform_data.${nameOf(index)}`) },
    }),
  },
  "instances of one": {
    resources: (size) => ({
      each: {
        for_each: Object.fromEntries(numbers(size).map((index) => [`key ${index}`, `value ${index}`])),
        input: "${each.value}",
      },
      counted: { count: size, input: '${terraform_data.each["key ${count.index}"].output}' },
    }),
  },
  outputs: {
    resources: named(one),
    more: (size) => ({
      output: Object.fromEntries(
        numbers(size).map((index) => [`o${index}`, { value: `\${terraform_data.${nameOf(index)}.id}` }]),
      ),
    }),
  },
  "locals and variables": {
    resources: named((index) => ({ input: `\${local.l${index}}` })),
    more: (size) => ({
      variable: Object.fromEntries(
        numbers(size).map((index) => [`v${index}`, { type: "string", default: `value ${index}` }]),
      ),
      locals: Object.fromEntries(numbers(size).map((index) => [`l${index}`, `\${var.v${index}}`])),
    }),
  },
  conditions: {
    resources: named((index) => ({
      ...one(index),
      lifecycle: {
        precondition: [{ condition: `\${${index} >= local.least}`, error_message: "It is negative." }],
      },
    })),
    more: (size) => ({
      locals: { least: 0 },
      check: Object.fromEntries(
        numbers(size).map((index) => [
          `c${index}`,
          {
            assert: [
              { condition: `\${terraform_data.${nameOf(index)}.id != ""}`, error_message: "It has no id." },
            ],
          },
        ]),
      ),
    }),
  },
  "a long list in expressions": {
    resources: (size) => ({
      list: { input: numbers(size).map((index) => ({ name: `thing ${index}`, wanted: true })) },
      text: {
        input: '${join(",", [for each in terraform_data.list.output : upper(each.name) if each.wanted])}',
      },
      map: { input: "${{ for each in terraform_data.list.output : each.name => each.wanted }}" },
      splat: { input: "${distinct(terraform_data.list.output[*].name)}" },
    }),
  },
};

const WORDS = ["--config", "."];

function operations({ resources, more = () => ({}) }: Shape): readonly Operation[] {
  const run = (...words: readonly string[]) => ({
    run: (world: World) => world.run([...words, ...WORDS]),
    applies: words.includes("--auto-approve"),
  });
  return [
    {
      name: "apply",
      before: (world) => world.declare({ terraform_data: resources(world.size) }, more(world.size)),
      ...run("apply", "--auto-approve"),
    },
    { name: "plan", ...run("plan", "--detailed-exitcode") },
    { name: "output", ...run("output", "--json") },
    { name: "destroy", ...run("destroy", "--auto-approve") },
  ];
}

export const graphs: readonly Scene[] = Object.entries(SHAPES).map(([name, shape]) => ({
  name,
  projects: () => 0,
  operations: operations(shape).filter((each) => name === "outputs" || each.name !== "output"),
}));
