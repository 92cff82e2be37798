import { fail } from "../../diagnostics";
import type { ExecArguments } from "../arguments/exec";
import { programEnvironment, withheldNames } from "../exec/program-environment";
import { runProgram } from "../exec/run-program";
import { Handlers } from "../run/handlers";
import { ownProvider } from "../stacks/providers";
import { createLog, logRequest } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";

/** Runs a program with the provider of this process and returns the program's exit code. */
export async function exec(
  { program, args, maxRequestsPerMinute }: ExecArguments,
  terminal: Terminal,
): Promise<number> {
  // Loaded on use: no other command needs gRPC.
  const { serveReattach }: typeof import("../../plugin") = require("../../plugin");
  const log = createLog(terminal);
  const handlers = new Handlers(log, terminal, { json: false, color: true });
  const cancellation = new AbortController();
  const served = await serveReattach(ownProvider(terminal, maxRequestsPerMinute), {
    cancel: cancellation.signal,
    run: { onRequest: handlers.guard((event) => logRequest(log, event)) },
    log: (level, message, facts) =>
      log.write(level, facts === undefined ? message : `${message} ${JSON.stringify(facts)}`),
  });
  try {
    const env = programEnvironment(terminal.env, served.env.TF_REATTACH_PROVIDERS);
    log.write("info", `running ${program} without ${withheldNames(terminal.env).join(", ") || "a token"}`);
    return await runProgram({ program, args, env }, terminal).catch((problem) =>
      notStarted(program, problem),
    );
  } finally {
    // When the program ends, requests in flight are completed unless another signal arrives.
    const stopListening = terminal.onInterrupt(() => cancellation.abort());
    await served.close();
    stopListening();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT:
    "it was not found in PATH or at this path. Install it, put its folder on PATH, or correct its name: " +
    "`steward exec -- terraform plan`.",
  EACCES:
    "the file is not executable. Name a program: `steward exec -- terraform plan`; or make the file executable.",
};

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): never {
  return fail({
    code: "program_not_started",
    summary: "Program can't be started",
    detail: `\`${program}\` was not started: ${REASONS[code ?? ""] ?? `${message}. Correct the command: \`steward exec -- terraform plan\`.`}`,
  });
}
