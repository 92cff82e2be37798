import { Command, CommanderError } from "commander";
import type { Diagnostic } from "../diagnostics";
import { applyLine, destroyLine } from "./arguments/apply";
import type { CommandLine } from "./arguments/command-line";
import { driftLine } from "./arguments/drift";
import { importLine } from "./arguments/import";
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

function loadApply() {
  const { apply }: typeof import("./commands/apply") = require("./commands/apply");
  return apply;
}

const COMMANDS: readonly Registered[] = [
  register(synthLine, () => {
    const { synth }: typeof import("./commands/synth") = require("./commands/synth");
    return synth;
  }),
  register(validateLine, () => {
    const { validate }: typeof import("./commands/validate") = require("./commands/validate");
    return validate;
  }),
  register(planLine, () => {
    const { plan }: typeof import("./commands/plan") = require("./commands/plan");
    return plan;
  }),
  register(applyLine, loadApply),
  register(destroyLine, loadApply),
  register(driftLine, () => {
    const { drift }: typeof import("./commands/drift") = require("./commands/drift");
    return drift;
  }),
  register(importLine, () => {
    const { importInto }: typeof import("./commands/import") = require("./commands/import");
    return importInto;
  }),
  register(showLine, () => {
    const { show }: typeof import("./commands/show") = require("./commands/show");
    return show;
  }),
  register(outputLine, () => {
    const { output }: typeof import("./commands/output") = require("./commands/output");
    return output;
  }),
  register(schemaLine, () => {
    const { schema }: typeof import("./commands/schema") = require("./commands/schema");
    return schema;
  }),
  register(serveLine, () => {
    const { serve }: typeof import("./commands/serve") = require("./commands/serve");
    return serve;
  }),
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
    return failWith(
      problem instanceof CommanderError ? [usageDiagnostic(problem)] : diagnosticsOf(problem, terminal),
      argv,
      terminal,
    );
  }
}

/** Tells of something thrown where nobody waited for it; answers with the exit code. */
export const failUnexpectedly = (problem: unknown, argv: readonly string[], terminal: Terminal): number =>
  failWith(diagnosticsOf(problem, terminal), argv, terminal);

function failWith(diagnostics: readonly Diagnostic[], argv: readonly string[], terminal: Terminal): number {
  // What was thrown may have come before the options were read.
  reportDiagnostics(diagnostics, terminal, {
    json: argv.includes("--json"),
    color: !argv.includes("--no-color"),
  });
  return 1;
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
