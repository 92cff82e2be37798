import { Command } from "commander";
import { ciApplyLine, ciCommentLine } from "../../../src/cli/arguments/ci";
import { type CommandLine, defineLine, readLine } from "../../../src/cli/arguments/command-line";
import { planLine } from "../../../src/cli/arguments/plan";
import { withReports } from "../../../src/cli/arguments/reports";
import { comment } from "../../../src/cli/commands/ci";
import { ciApply } from "../../../src/cli/commands/ci-apply";
import { plan } from "../../../src/cli/commands/plan";
import { FORMATS } from "../../../src/cli/reports/report-formats";
import { Channel, type Terminal } from "../../../src/cli/terminal/terminal";
import { diagnosticsOf, reportDiagnostics } from "../../../src/cli/views/diagnostics";

/** The commands that pipelines run, each with the definition of its arguments. */
const COMMANDS = {
  plan: [withReports(planLine, FORMATS), plan],
  comment: [ciCommentLine, comment],
  apply: [withReports(ciApplyLine, FORMATS), ciApply],
} as const;

/** The output of a command, and its exit code. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

function argumentsOf(line: CommandLine<never>, words: readonly string[]): never {
  const command = new Command("steward").exitOverride();
  defineLine(command, line);
  let args: unknown;
  command.action(() => {
    args = readLine(command, line);
  });
  command.parse([...words], { from: "user" });
  return args as never;
}

/** Runs a command as the program `steward` does. The caller must have started a simulated process. */
export async function runCommand(
  name: keyof typeof COMMANDS,
  words: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  let output = "";
  const channel = (): Channel =>
    new Channel((text) => {
      output += text;
    });
  const terminal: Terminal = {
    env,
    folder,
    out: channel(),
    err: channel(),
    isInteractive: false,
    ask: async () => undefined,
    readInput: async () => Buffer.from(""),
    onInterrupt: () => () => undefined,
    every: () => () => undefined,
    abort: (code) => {
      throw new Error(`The command ended at once with ${code}:\n${output}`);
    },
  };
  const [line, work] = COMMANDS[name];
  let code: number;
  try {
    const args = argumentsOf(line as never, words);
    code = await (work as (args: never, terminal: Terminal) => Promise<number>)(args, terminal);
  } catch (problem) {
    reportDiagnostics(diagnosticsOf(problem, terminal), terminal, { json: false, color: false });
    code = 1;
  }
  return { code, output };
}
