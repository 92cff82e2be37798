import type { Declared, Options } from "../../src/cli/arguments/option";
import { COMMANDS } from "../../src/cli/commands";
import type { Generator } from "./generated-files";
import { code, GENERATED, page, table } from "./markdown";

type Line = (typeof COMMANDS)[number]["line"];

/**
 * Generates `docs/commands.md`: all commands with their options. The generator uses the same declarations as the
 * command line.
 */
export const commandsPage = (): Generator => ({
  place: "docs/commands.md",
  generate: async () => new Map([["docs/commands.md", text()]]),
});

const text = (): string =>
  page(
    "# Commands",
    GENERATED,
    "Every command of `steward` with its options. `steward COMMAND --help` shows the same, with examples.",
    ...COMMANDS.flatMap(({ line }) => sectionOf(line)),
  );

function sectionOf({ name, description, operands = {}, options = {} }: Line): string[] {
  const shown = declarationsIn(options).filter(({ isHidden }) => !isHidden);
  const usage = [`steward ${name}`, ...declarationsIn(operands).map(({ flags }) => flags)].join(" ");
  const rows = [...declarationsIn(operands), ...shown];
  const names = new Set(shown.map(({ flags }) => flags.split(" ")[0]!));
  return [
    `## ${code(usage)}`,
    description,
    ...(rows.length === 0
      ? []
      : [
          table(
            ["", "what it does", "not with"],
            rows.map((one) => rowOf(one, names)),
          ),
        ]),
  ];
}

const declarationsIn = (options: Options): Declared<unknown>[] =>
  Object.values(options).flatMap((one) => one as Declared<unknown> | Declared<unknown>[]);

/** @param names the options of the command. Some declarations also contain options of other commands. */
function rowOf(
  { flags, help, absent, isDefaultShown, choices, excludes = [] }: Declared<unknown>,
  names: ReadonlySet<string>,
): string[] {
  const values = choices === undefined ? "" : ` (${choices.map(code).join(", ")})`;
  const byDefault = isDefaultShown ? `; default ${code(String(absent))}` : "";
  const others = excludes.filter((rule) => names.has(/--[\w-]+/.exec(rule)![0]));
  return [code(flags), `${help}${values}${byDefault}`, others.map(code).join(", ")];
}
