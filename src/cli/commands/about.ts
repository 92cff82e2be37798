import { type Argument, type Command, Help, type Option } from "commander";
import { ownPlatform } from "../../plugin";
import { PROVIDER_SOURCE } from "../../provider";
import type { CommandFunction } from "../arguments/command-line";
import type { completionLine, versionLine } from "../arguments/offline";
import { packageVersion } from "../version";

/** Prints the version, the platform and the provider, in the order of `terraform version`. */
export const version: CommandFunction<typeof versionLine> = async ({ json }, { out }) => {
  const own = packageVersion();
  const platform = ownPlatform();
  out.lines(
    json
      ? JSON.stringify(
          {
            version: own,
            platform,
            node_version: process.versions.node,
            provider_selections: { [PROVIDER_SOURCE]: own },
          },
          undefined,
          2,
        ).split("\n")
      : [`Steward v${own}`, `on ${platform}`, `+ provider ${PROVIDER_SOURCE} v${own}`],
  );
  return 0;
};

/** Writes the completion script of a shell. */
export const completion: CommandFunction<typeof completionLine> = async ({ shell }, terminal, program) => {
  terminal.out.lines(completionScript(shell, program));
  return 0;
};

/** Returns the completion script for a shell. */
function completionScript(shell: "bash" | "zsh" | "fish", program: Command): string[] {
  if (shell === "fish") return fishScript(program);
  // zsh can run the completion script of bash after these commands.
  const start = shell === "zsh" ? ["autoload -U +X bashcompinit && bashcompinit"] : [];
  return [...start, ...bashScript(program)];
}

interface Placed {
  /**
   * The words of the command, with a space before each word, such as ` state list`. The text is empty for the program itself.
   */
  readonly path: string;
  readonly command: Command;
}

const placed = (command: Command, path = ""): Placed[] => [
  { path, command },
  ...commandsIn(command).flatMap((one) => placed(one, `${path} ${one.name()}`)),
];

const help = new Help();
const commandsIn = (command: Command): Command[] => help.visibleCommands(command);
/** Returns the options of a command that have a long name. `hasValue` is true if a value follows the option. */
const optionsIn = (command: Command) =>
  help.visibleOptions(command).flatMap(({ long: name, description, required, optional, ...option }) => {
    const hasValue = required || optional;
    return name == null ? [] : [{ name, description, hasValue, choices: choicesIn([option]) }];
  });
/**
 * Returns the valid values of an option or argument. Returns an empty list if any value is valid. The completion then suggests
 * files.
 */
const choicesIn = (all: readonly Pick<Option | Argument, "argChoices">[]): string[] =>
  all.flatMap(({ argChoices }) => argChoices ?? []);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bashScript(program: Command): string[] {
  const all = placed(program);
  const step = ({ path }: Placed) => `      ${quoted(path)}) path=${quoted(path)} ;;`;
  const words = ({ path, command }: Placed) =>
    `    ${quoted(path)}) words=${quoted([...commandsIn(command).map((one) => one.name()), ...choicesIn(command.registeredArguments)].join(" "))} options=${quoted(
      optionsIn(command)
        .map(({ name }) => name)
        .join(" "),
    )} ;;`;
  const values = ({ path, command }: Placed) =>
    optionsIn(command)
      .filter(({ hasValue }) => hasValue)
      .map(
        ({ name, choices }) =>
          `    ${quoted(`${path} ${name}`)}) words=${quoted(choices.join(" "))} options='' files=${choices.length === 0 ? 1 : 0} ;;`,
      );
  return [
    "_steward() {",
    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path='' words='' options='' files='' i",
    "  for ((i = 1; i < COMP_CWORD; i++)); do",
    '    case "$path ${COMP_WORDS[i]}" in',
    ...all.filter(({ path }) => path !== "").map(step),
    "    esac",
    "  done",
    '  case "$path" in',
    ...all.map(words),
    "  esac",
    '  case "$path $prev" in',
    ...all.flatMap(values),
    "  esac",
    "  COMPREPLY=()",
    '  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur"))',
    '  elif [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    "  else",
    "    type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null",
    "    local IFS=$'\\n'",
    '    COMPREPLY=($(compgen -f -- "$cur"))',
    "  fi",
    "}",
    "complete -F _steward steward",
  ];
}

/** Quotes a text for fish, which reads a backslash in quotes as an escape. */
const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

function fishScript(program: Command): string[] {
  return placed(program).flatMap(({ path, command }) => {
    const words = path.split(" ").slice(1);
    const below = commandsIn(command).map((one) => one.name());
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const condition = seen.length === 0 ? "true" : seen.join("; and ");
    const needsCommand =
      below.length === 0 ? condition : `${condition}; and not __fish_seen_subcommand_from ${below.join(" ")}`;
    const line = (condition: string, rest: string) =>
      `complete -c steward -n ${fishQuoted(condition)} ${rest}`;
    return [
      ...commandsIn(command).map((one) =>
        line(needsCommand, `-f -a ${fishQuoted(one.name())} -d ${fishQuoted(one.summary())}`),
      ),
      ...choicesIn(command.registeredArguments).map((choice) =>
        line(condition, `-f -a ${fishQuoted(choice)}`),
      ),
      ...optionsIn(command).map(({ name, description, hasValue, choices }) => {
        const ofValue = choices.length === 0 ? " -r" : ` -x -a ${fishQuoted(choices.join(" "))}`;
        const words = `-l ${name.replace(/^--/, "")}${hasValue ? ofValue : ""}`;
        return line(condition, `${words} -d ${fishQuoted(description)}`);
      }),
    ];
  });
}
