import { Command } from "commander";
import { defineLine, readLine } from "../../../src/cli/arguments/command-line";
import type { Declared } from "../../../src/cli/arguments/option";
import { COMMANDS } from "../../../src/cli/commands";

type Line = (typeof COMMANDS)[number]["line"];

/** Example texts for each kind of value, by the name of the value in the help. */
const TEXTS: Readonly<Record<string, string>> = {
  ...{ n: "2", "n/m": "1/3", duration: "1s", "name=value": "a=b", boolean: "false", os_arch: "linux_amd64" },
  ...{ sha256: "0".repeat(64), format: "hcl", scope: "stack", unit: "app" },
};

const nameOf = ({ flags }: Declared<unknown>): string => flags.split(" ")[0]!;
const declarations = ({ options }: Line): Declared<unknown>[] =>
  Object.values(options ?? {}).flatMap((one) => one as Declared<unknown> | Declared<unknown>[]);

/** Returns the arguments for the option that a rule names. */
function given(line: Line, rule: string): string[] {
  const [, several, name, value] = /^(several )?(--[\w-]+)(?:[= ](.+))?$/.exec(rule)!;
  const declared = declarations(line).find((one) => nameOf(one) === name)!;
  const kind = /[<[](.+?)(?:\.\.\.)?[>\]]$/.exec(declared.flags)?.[1];
  if (kind === undefined) return [name!];
  const text = value === undefined || value === "TEXT" ? (TEXTS[kind] ?? "x") : value;
  return several === undefined ? [`${name}=${text}`] : [`${name}=${text}`, `${name}=y`];
}

/**
 * Parses options of a command, together with the required options and arguments. Returns the error; undefined if the
 * command accepts the options.
 */
function refusalOf(line: Line, argv: readonly string[]): string | undefined {
  const command = new Command()
    .exitOverride()
    .allowExcessArguments()
    .configureOutput({ outputError: () => {} });
  defineLine(command, line);
  const needed = declarations(line).flatMap((one) => (one.isRequired ? given(line, nameOf(one)) : []));
  const operands = command.registeredArguments.flatMap(({ required }) => (required ? ["x"] : []));
  try {
    command.parse([...needed, ...argv, ...operands], { from: "user" });
    readLine(command, line);
    return undefined;
  } catch (problem) {
    return String(problem);
  }
}

const knows = (line: Line, rule: string): boolean =>
  declarations(line).some((one) => nameOf(one) === /--[\w-]+/.exec(rule)![0]);

const pairs = (select: (declared: Declared<unknown>) => readonly string[]) =>
  COMMANDS.flatMap(({ line }) =>
    declarations(line).flatMap((declared) =>
      select(declared).map((rule) => ({ line, command: line.name, option: nameOf(declared), rule })),
    ),
  );
const excluded = pairs(({ excludes = [] }) => excludes);
const required = pairs(({ requires }) => (requires === undefined ? [] : [requires]));

test("the help describes each command and each option", () => {
  const undescribed = COMMANDS.flatMap(({ line }) => [
    ...(line.summary.trim() === "" || line.description.trim() === "" ? [line.name] : []),
    ...declarations(line)
      // The undocumented option --lock of `apply` exists only so that `apply` can refuse it with a reason.
      .filter((declared) => declared.help.trim() === "" && nameOf(declared) !== "--lock")
      .map((declared) => `${line.name} ${nameOf(declared)}`),
  ]);
  expect(undescribed).toEqual([]);
});

test("each option that another option excludes or requires exists in at least one command", () => {
  const known = ({ rule }: { readonly rule: string }) => COMMANDS.some(({ line }) => knows(line, rule));
  expect([...excluded, ...required].filter((one) => !known(one))).toEqual([]);
});

test.each(excluded.filter(({ line, rule }) => knows(line, rule)))(
  "$command refuses $option together with $rule",
  ({ line, option, rule }) => {
    const refusal = refusalOf(line, [...given(line, option), ...given(line, rule)]);
    expect(refusal).toMatch(/can't be combined\. Omit one of them\./);
  },
);

test.each(required)("$command refuses $option without $rule", ({ line, option, rule }) => {
  expect(refusalOf(line, given(line, option))).toContain(`${option} requires ${rule}. Pass both`);
});
