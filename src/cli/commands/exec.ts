import { fail } from "../../diagnostics";
import type { ExecArguments } from "../arguments/exec";
import { programEnvironment, withheldNames } from "../exec/program-environment";
import { runProgram } from "../exec/run-program";
import { Handlers } from "../run/handlers";
import { ownProvider } from "../stacks/providers";
import { createLog, logRequest } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";

/** Runs a program that uses the provider of this process; answers with its exit code. */
export async function exec({ program, words }: ExecArguments, terminal: Terminal): Promise<number> {
  // Loaded here: gRPC is needed by no other command.
  const { serveReattach }: typeof import("../../plugin") = require("../../plugin");
  const log = createLog(terminal);
  const handlers = new Handlers(log, terminal, { json: false, color: true });
  const cancellation = new AbortController();
  const served = await serveReattach(ownProvider(terminal), {
    cancel: cancellation.signal,
    run: { onRequest: handlers.guard((event) => logRequest(log, event)) },
    log: (level, message, facts) =>
      log.write(level, facts === undefined ? message : `${message} ${JSON.stringify(facts)}`),
  });
  try {
    const env = programEnvironment(terminal.env, served.env.TF_REATTACH_PROVIDERS);
    log.write("info", `running ${program} without ${withheldNames(terminal.env).join(", ") || "a token"}`);
    return await runProgram({ program, words, env }, terminal).catch((problem) =>
      notStarted(program, problem),
    );
  } finally {
    // A write that is under way when the program ends is awaited, unless another signal comes.
    const stopListening = terminal.onInterrupt(() => cancellation.abort());
    await served.close();
    stopListening();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program in the folders of PATH, or at this path",
  EACCES: "the file may not be executed",
};

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): never {
  return fail({
    code: "program_not_started",
    summary: "The program can't be started",
    detail:
      `\`${program}\` was not started: ${REASONS[code ?? ""] ?? message}. ` +
      "Install it, put its folder on PATH, or correct its name: `steward exec -- terraform plan`.",
  });
}
