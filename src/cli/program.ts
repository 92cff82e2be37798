import { Command, CommanderError, Help, Option } from "commander";
import type { Diagnostic } from "../diagnostics";
import {
  type CommandLine,
  defineLine,
  type Execute,
  filesOfLine,
  readLine,
  sourceOfLine,
  usageDiagnostic,
} from "./arguments/command-line";
import type { UsedFile } from "./arguments/given";
import { hasRareOptions, orderGroups, shownOptions } from "./arguments/help-groups";
import { COMMANDS, GROUPS, SECTIONS } from "./commands";
import { type NamedOutputs, type NamedSource, processTerminal, type Terminal } from "./terminal/terminal";
import { packageVersion } from "./version";
import { diagnosticsOf, reportDiagnostics } from "./views/diagnostics";

/** Runs a command line and returns the exit code. Never throws: errors are reported as diagnostics. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let execute: (() => Promise<number>) | undefined;
  let source: NamedSource = {};
  const program = createProgram(argv, terminal, (next, named) => {
    execute = next;
    source = named;
  });
  try {
    program.parse([...argv], { from: "user" });
    return (await execute?.()) ?? 0;
  } catch (problem) {
    if (problem instanceof CommanderError && problem.exitCode === 0) return 0;
    if (problem instanceof CommanderError && problem.code === "commander.help") return 1;
    const command = commandIn(argv);
    return failWith(
      problem instanceof CommanderError
        ? [usageDiagnostic(problem, command?.name, command?.options)]
        : diagnosticsOf(problem, terminal),
      argv,
      { ...terminal, source },
    );
  }
}

/**
 * Returns the command whose name is at the start of the command line, such as `state mv`; undefined if no command has such a
 * name.
 */
const commandIn = (argv: readonly string[]): CommandLine<unknown> | undefined =>
  COMMANDS.map(({ line }) => line as CommandLine<unknown>)
    .filter(({ name }) => name.split(" ").every((word, at) => argv[at] === word))
    .sort((one, other) => other.name.length - one.name.length)[0];

/**
 * Runs the command line of this process and returns the exit code. If an exception is not caught, reports it and ends the
 * process.
 *
 * @public
 */
export function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  process.on("uncaughtException", (problem) =>
    terminal.abort(failWith(diagnosticsOf(problem, terminal), argv, terminal)),
  );
  return run(argv, terminal);
}

function failWith(diagnostics: readonly Diagnostic[], argv: readonly string[], terminal: Terminal): number {
  // Looks for `--json` in the arguments themselves, because an exception can occur before the program has parsed the options.
  // Options after `--` belong to the program that `exec` runs.
  const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  reportDiagnostics(diagnostics, terminal, {
    json: own.includes("--json"),
    color: !own.includes("--no-color"),
  });
  return 1;
}

/**
 * The name of the command that prints a completion script. The script lists the options of all commands, so the program then
 * defines all options.
 */
const COMPLETION = "completion";

/**
 * Saves time: only the called command and its subcommands get options. Returns a function that returns true for these
 * commands, and for all commands if the called command is unknown. Defining all options takes longer than most commands run.
 */
function neededOptions(argv: readonly string[]): (name: string) => boolean {
  const asked = commandIn(argv)?.name;
  if (asked === undefined || asked === COMPLETION) return () => true;
  return (name) => name === asked || name.startsWith(`${asked} `);
}

function createProgram(
  argv: readonly string[],
  terminal: Terminal,
  choose: (execute: () => Promise<number>, source: NamedSource) => void,
): Command {
  const program = new Command("steward")
    .description("Project settings of a source-hosting and CI/CD platform as code: plan, apply, drift.")
    .version(packageVersion(), "--version", "print the version")
    .addHelpCommand(
      new Command("help").argument("[command]").description("show the help of a command").helpGroup("Tools:"),
    )
    .helpOption("--help", "show the help, with examples")
    .addHelpText("after", HELP_END)
    .configureHelp(helpOf(false))
    .exitOverride()
    // `exec` needs positional options: it passes all options after the name of a program to that program.
    .enablePositionalOptions()
    // Commander prints no errors, because Steward reports errors in the command line as diagnostics.
    .configureOutput({
      writeOut: (text) => terminal.out.lines(linesOf(text)),
      writeErr: (text) => terminal.err.lines(linesOf(text)),
      outputError: () => {},
    });
  const isNeeded = neededOptions(argv);
  for (const { line, load } of COMMANDS) {
    const words = line.name.split(" ");
    const command = commandOf(program, words);
    program.commands.find((one) => one.name() === words[0])!.helpGroup(SECTIONS[words[0]!] ?? "Tools:");
    command.summary(line.summary);
    if (!isNeeded(line.name)) continue;
    command.description(line.description).addHelpText("after", examplesText(line));
    defineLine(command, line);
    addHelpAll(command);
    command.action(() => {
      const args = readLine(command, line);
      const { used, force } = filesOfLine(command, line);
      const source = sourceOfLine(command);
      choose(() => {
        const outputs = outputsOf(used, force, terminal);
        return (load() as Execute<unknown>)(args, { ...terminal, outputs, source }, program);
      }, source);
    });
  }
  return program;
}

/**
 * Returns the settings of the help. The help shows the option groups in a fixed order, and common options first. The help shows
 * rare options only if `all` is set.
 */
const helpOf = (all: boolean): Partial<Help> => ({
  groupItems: (unsorted, visible, groupOf) => orderGroups(new Help().groupItems(unsorted, visible, groupOf)),
  visibleOptions: (command) => shownOptions(command, new Help().visibleOptions(command), all),
});

/** Adds `--help-all` to a command. This option shows the help with all options. */
function addHelpAll(command: Command): void {
  const isHidden = !hasRareOptions(command);
  command.addOption(new Option("--help-all", "show all options, even rare ones").hideHelp(isHidden));
  command.on("option:help-all", () => {
    // Only commands that read or write a state have `--lock-timeout`, so the help of these commands describes the environment
    // variables for a state.
    if (command.options.some(({ long }) => long === "--lock-timeout"))
      command.addHelpText("after", `\n${STATE_ENVIRONMENT}`);
    command.configureHelp(helpOf(true)).help();
  });
}

/**
 * The help text about the environment variables for a state over HTTP: the variables of Terraform, and the address of the
 * journal.
 */
const STATE_ENVIRONMENT = `State over HTTP:
  TF_HTTP_ADDRESS   address of the state, as in Terraform
  TF_HTTP_JOURNAL_ADDRESS
                    address of the journal; {stack} is replaced with the stack's name
`;

const HELP_END = `
Examples:
  steward init settings
      create an app with a test and a pipeline
  steward plan --access
      show the changes, and who gains and loses access
  steward drift --report drift.md
      find manual changes, and write a report

Exit codes:
  0  success; without --detailed-exitcode also with planned changes
  1  error, also when an object could not be checked
  2  drift found, or changes with --detailed-exitcode

Environment:
  STEWARD_BASE_URL  address of the service, such as https://git.example.com
  STEWARD_TOKEN     access token; or STEWARD_TOKEN_FILE, a file that holds it
  STEWARD_MAX_REQUESTS_PER_MINUTE
                    maximum number of requests per minute, as --max-requests-per-minute
  STEWARD_LOG       log level for stderr: error, warn, info, debug or trace
  TF_VAR_name       value of the variable "name"
  NO_COLOR          no colours

${STATE_ENVIRONMENT}`;

/** Checks the files that the command line names. Returns the names of the files that the command writes. */
function outputsOf(used: readonly UsedFile[], force: boolean, terminal: Terminal): NamedOutputs {
  if (used.every(({ use }) => use === "read")) return { force, files: [] };
  // The module is loaded only on use, because most commands write no files.
  const { requireUsable }: typeof import("./outputs/require-usable") = require("./outputs/require-usable");
  return requireUsable(used, force, terminal);
}

const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

/** Returns the command with this name, and creates it if it does not exist. `state list` becomes a subcommand of `state`. */
function commandOf(parent: Command, [name, ...rest]: readonly string[]): Command {
  const command = parent.commands.find((one) => one.name() === name) ?? parent.command(name!);
  if (rest.length === 0) return command;
  // A group has its own summary. A command that also has subcommands, such as `report`, has no summary here, because its
  // command line contains the summary.
  const summary = GROUPS[name!];
  if (summary !== undefined) command.summary(summary).description(`${capitalized(summary)}.`);
  return commandOf(command, rest);
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function examplesText({ examples }: CommandLine<unknown>): string {
  const lines = Object.entries(examples).map(([line, purpose]) => `  ${line}\n      ${purpose}`);
  return `\nExamples:\n${lines.join("\n")}`;
}
