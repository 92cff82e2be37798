import type { Command } from "commander";
import type { CompletionArguments } from "../arguments/completion";
import type { Terminal } from "../terminal/terminal";
import { type CompletedCommand, completionScript } from "../views/completion";

/** Writes the completion script of a shell. */
export async function completion(
  { shell }: CompletionArguments,
  terminal: Terminal,
  program: Command,
): Promise<number> {
  terminal.out.lines(completionScript(shell, describe(program)));
  return 0;
}

/** What can be completed of a command, from its definition. */
function describe(command: Command): CompletedCommand {
  const help = command.createHelp();
  const argumentChoices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return {
    name: command.name(),
    summary: command.summary(),
    commands: help.visibleCommands(command).map(describe),
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description, argChoices, required, optional }) =>
        long === undefined || long === null
          ? []
          : [{ name: long, description, takesValue: required || optional, choices: argChoices ?? [] }],
      ),
    choices: argumentChoices,
  };
}
