import { Command, CommanderError } from "commander";
import { applyLine, destroyLine } from "./arguments/apply";
import type { CommandLine } from "./arguments/command-line";
import { driftLine } from "./arguments/drift";
import { outputLine } from "./arguments/output";
import { planLine } from "./arguments/plan";
import { schemaLine } from "./arguments/schema";
import { serveLine } from "./arguments/serve";
import { showLine } from "./arguments/show";
import { synthLine } from "./arguments/synth";
import { usageDiagnostic } from "./arguments/usage";
import { validateLine } from "./arguments/validate";
import { diagnosticsOf, reportDiagnostics } from "./failure";
import type { Terminal } from "./terminal";
import { packageVersion } from "./version";

/** Runs a command with its arguments; answers with the exit code. */
type Execute<A> = (args: A, terminal: Terminal) => Promise<number>;

/** A command line and, loaded when it is wanted, what it does. */
interface Registered {
  readonly line: CommandLine<unknown>;
  readonly load: () => Execute<never>;
}

const register = <A>(line: CommandLine<A>, load: () => Execute<A>): Registered => ({ line, load });

const COMMANDS: readonly Registered[] = [
  register(synthLine, () => (require("./commands/synth") as typeof import("./commands/synth")).synth),
  register(
    validateLine,
    () => (require("./commands/validate") as typeof import("./commands/validate")).validate,
  ),
  register(planLine, () => (require("./commands/plan") as typeof import("./commands/plan")).plan),
  register(applyLine, () => (require("./commands/apply") as typeof import("./commands/apply")).apply),
  register(destroyLine, () => (require("./commands/apply") as typeof import("./commands/apply")).apply),
  register(driftLine, () => (require("./commands/drift") as typeof import("./commands/drift")).drift),
  register(showLine, () => (require("./commands/show") as typeof import("./commands/show")).show),
  register(outputLine, () => (require("./commands/output") as typeof import("./commands/output")).output),
  register(schemaLine, () => (require("./commands/schema") as typeof import("./commands/schema")).schema),
  register(serveLine, () => (require("./commands/serve") as typeof import("./commands/serve")).serve),
];

/** Runs one command line, and answers with the exit code. Never throws: what goes wrong is told as a diagnostic. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let execute: (() => Promise<number>) | undefined;
  const program = createProgram(terminal, (next) => {
    execute = next;
  });
  try {
    program.parse([...argv], { from: "user" });
    return (await execute?.()) ?? 0;
  } catch (problem) {
    if (problem instanceof CommanderError && problem.exitCode === 0) return 0;
    if (problem instanceof CommanderError && problem.code === "commander.help") {
      terminal.err.write(program.helpInformation());
      return 1;
    }
    const diagnostics =
      problem instanceof CommanderError ? [usageDiagnostic(problem)] : diagnosticsOf(problem, terminal);
    reportDiagnostics(diagnostics, terminal, {
      json: argv.includes("--json"),
      color: !argv.includes("--no-color"),
    });
    return 1;
  }
}

function createProgram(terminal: Terminal, choose: (execute: () => Promise<number>) => void): Command {
  const program = new Command("steward")
    .description("Project settings of a source-hosting and CI/CD platform as code: plan, apply, drift.")
    .version(packageVersion(), "--version", "write the version")
    .helpCommand("help [command]", "explain a command")
    .addHelpText("after", "\nExample: `steward plan` shows what `steward apply` would change.");
  for (const command of [program, ...COMMANDS.map(({ line }) => program.command(line.name))]) {
    command
      .helpOption("--help", "explain, with examples")
      .exitOverride()
      // Errors of the command line are shown as diagnostics, like all others.
      .configureOutput({ writeOut: (text) => terminal.out.write(text), writeErr: () => {} });
  }
  for (const { line, load } of COMMANDS) {
    const command = program.commands.find((one) => one.name() === line.name)!;
    command.summary(line.summary).description(line.description).addHelpText("after", examplesText(line));
    line.define(command);
    command.action(() => {
      const args = line.read(command.opts(), command.args);
      choose(() => (load() as Execute<unknown>)(args, terminal));
    });
  }
  return program;
}

function examplesText({ examples }: CommandLine<unknown>): string {
  return `\nExamples:\n${examples.map(([line, purpose]) => `  ${line}\n      ${purpose}`).join("\n")}`;
}
