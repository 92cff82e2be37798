import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { isSea } from "node:sea";
import { z } from "zod";
import { DiagnosticError, fail } from "../../diagnostics";
import { adviceForWriting, FileProblem, SetProblem } from "../../files";
import { parseJson } from "../../json";
import { ownPlatform, type PluginProgram, platformOf, SCRIPT_PLATFORMS, writeMirror } from "../../plugin";
import { PROVIDER_SOURCE } from "../../provider";
import type { CommandFunction } from "../arguments/command-line";
import type { execLine, mirrorLine } from "../arguments/terraform";
import { bundleFile, isCurrent, PLUGIN, PLUGIN_LICENCES, readBundled } from "../bundles";
import { Handlers } from "../stack-runs/each-stack";
import { ownProvider } from "../stack-runs/providers";
import { logRequest } from "../terminal/log";
import { tokensIn } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";
import { writeMirrored } from "../views/command-results";

/** Runs a program such as Terraform. The program uses the provider in this process. Returns the exit code of the program. */
export const exec: CommandFunction<typeof execLine> = async (
  { program, args, maxRequestsPerMinute },
  terminal,
) => {
  // The module is loaded on use: no other command needs gRPC.
  const { serveReattach }: typeof import("../../plugin") = require("../../plugin");
  const handlers = new Handlers(terminal, { json: false, color: true });
  const { log } = handlers;
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
      notStarted(program, problem, terminal.env),
    );
  } finally {
    // When the program ends, the provider completes the requests in flight. A later signal cancels the requests in flight.
    const stopListening = terminal.onInterrupt(() => cancellation.abort());
    await served.close();
    stopListening();
  }
};

const REASONS: Readonly<Record<string, string>> = {
  ENOENT:
    "it was not found in PATH or at this path. Install it, put its folder on PATH, or correct its name: " +
    "`steward exec -- terraform plan`.",
  EACCES:
    "the file is not executable. Make the file executable, or name another program: `steward exec -- terraform plan`.",
};

/**
 * Returns true if a folder of PATH contains the program. The error EACCES does not show that the program exists. The system
 * also reports EACCES for a missing program if the user may not read a folder of PATH (execvp(3)).
 */
const isInPath = (program: string, { PATH = "" }: Terminal["env"]): boolean =>
  program.includes("/") ||
  PATH.split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));

function notStarted(
  program: string,
  { code = "", message }: NodeJS.ErrnoException,
  env: Terminal["env"],
): never {
  const reason = code === "EACCES" && !isInPath(program, env) ? "ENOENT" : code;
  return fail({
    code: "program_not_started",
    summary: "Program can't be started",
    detail: `\`${program}\` was not started: ${REASONS[reason] ?? `${message}. Correct the command: \`steward exec -- terraform plan\`.`}`,
  });
}

/** Writes the mirror and its CLI configuration, and prints the path of this configuration. */
export const mirror: CommandFunction<typeof mirrorLine> = async (args, terminal) => {
  const inFolder = (file: string) => path.resolve(terminal.folder, file);
  const folder = inFolder(args.folder);
  // A single executable also contains the provider, so the mirror gets a copy of this executable.
  const executables = [...(isSea() ? [process.execPath] : []), ...args.executables.map(inFolder)];
  const platforms = args.platforms ?? (executables.length > 0 ? [] : [ownPlatform(), ...SCRIPT_PLATFORMS]);
  const configuration = await writeMirror(folder, {
    programs: programsOf(executables, platforms),
    source: PROVIDER_SOURCE,
    version: packageVersion(),
    force: args.force,
  }).catch((problem) => {
    if (problem instanceof DiagnosticError) throw problem;
    return fail({
      code: "mirror_not_written",
      summary: "The mirror can't be written",
      detail: `Writing the provider to ${folder} failed: ${whyNotMirrored(problem)}`,
    });
  });
  writeMirrored(configuration, folder, terminal);
  return 0;
};

function whyNotMirrored(problem: Error): string {
  if (!(problem instanceof SetProblem)) return problem.message;
  const { file, cause } = problem;
  const isOccupied = cause instanceof FileProblem && cause.fault === "occupied";
  return `${file} can't be replaced (${problem.message}). ${isOccupied ? "Name another folder, or replace it with --force" : adviceForWriting(cause)}.`;
}

/**
 * Returns the programs of a mirror: each executable for its platform, and the Node script for the requested platforms without
 * an executable.
 */
function programsOf(executables: readonly string[], platforms: readonly string[]) {
  const programs = new Map<string, PluginProgram>(
    executables.map((executable) => [platformOf(executable) ?? ownPlatform(), { executable }]),
  );
  const scripted = platforms.filter((platform) => !programs.has(platform));
  if (scripted.length > 0) {
    const program = scriptFor(scripted);
    for (const platform of scripted) programs.set(platform, program);
  }
  return programs;
}

function scriptFor(platforms: readonly string[]): PluginProgram {
  const windows = platforms.find((each) => each.startsWith("windows_"));
  if (windows !== undefined) {
    return fail({
      code: "mirror_needs_executable",
      summary: "Windows can't start a script",
      detail:
        `Terraform on ${windows} can't start a script that runs on Node. Pass the Windows executable of the ` +
        "release with --executable FILE.",
    });
  }
  if (!isCurrent(PLUGIN)) {
    const what = existsSync(bundleFile(PLUGIN)) ? "is older than the compiled code" : "is missing";
    return fail({
      code: "plugin_not_built",
      summary: "The provider is not built",
      detail: `${bundleFile(PLUGIN)} ${what}. Run \`npm run build\`.`,
    });
  }
  return { script: readBundled(PLUGIN), licences: readBundled(PLUGIN_LICENCES) };
}

/**
 * Whether the program runs in a process group that this process does not belong to. In a shared process group, Ctrl-C would
 * reach the program twice: from the terminal and from this process. At the second signal, Terraform exits without saving its
 * state.
 */
const HAS_OWN_GROUP = process.platform !== "win32";

/** The signals other than Ctrl-C that a terminal sends to the process group in the foreground. */
const FORWARDED_SIGNALS = ["SIGQUIT", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs a program with the standard streams of this process. Each signal to this process is forwarded once.
 *
 * @returns the exit code of the program; 128 plus the signal number if a signal ended the program
 * @throws Error if the program can't be started
 */
function runProgram(
  { program, args, env }: Readonly<{ program: string; args: readonly string[]; env: NodeJS.ProcessEnv }>,
  { folder, onInterrupt }: Pick<Terminal, "folder" | "onInterrupt">,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env, detached: HAS_OWN_GROUP, stdio: "inherit" });
    const release = forwardSignals(child, onInterrupt);
    child.once("error", (problem) => {
      release();
      reject(problem);
    });
    child.once("exit", (code, signal) => {
      release();
      resolve(code ?? 128 + constants.signals[signal!]);
    });
  });
}

function forwardSignals(child: ChildProcess, onInterrupt: Terminal["onInterrupt"]): () => void {
  const forward = (signal: NodeJS.Signals) => {
    // Sends Ctrl-C to the whole process group of the program, as a terminal does. Other signals go only to the program
    // itself.
    if (signal === "SIGINT") signalGroup(child, signal);
    else child.kill(signal);
  };
  const suspend = () => {
    signalGroup(child, "SIGSTOP");
    process.kill(process.pid, "SIGSTOP");
  };
  const resume = () => signalGroup(child, "SIGCONT");
  // Ends the program when this process ends, because the program can't continue without the provider.
  const end = () => child.kill("SIGTERM");
  const stopListening = onInterrupt(forward);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, signal === "SIGCONT" ? resume : forward);
  process.on("SIGTSTP", suspend);
  process.once("exit", end);
  return () => {
    stopListening();
    for (const signal of FORWARDED_SIGNALS) process.off(signal, signal === "SIGCONT" ? resume : forward);
    process.off("SIGTSTP", suspend);
    process.off("exit", end);
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!HAS_OWN_GROUP || child.pid === undefined) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch (problem) {
    // ESRCH means that the process group has already ended.
    if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const REATTACH = "TF_REATTACH_PROVIDERS";
const TOKEN_FILE = "STEWARD_TOKEN_FILE";
/** The environment variables with secrets that only Steward uses. */
const OWN_SECRETS = new Set([
  "STEWARD_TOKEN",
  TOKEN_FILE,
  "STEWARD_COMMENT_TOKEN",
  "STEWARD_ADDRESS_KEY",
  "STEWARD_WEBHOOK_URL",
]);
/**
 * Steward searches the values of other variables only for tokens of at least this length. A shorter token can occur in another
 * variable by chance.
 */
const MIN_TOKEN_LENGTH = 8;

/**
 * Returns the environment for a program that uses the provider of this process. The environment contains no token, because
 * only the provider in this process needs the token. TF_REATTACH_PROVIDERS names this provider.
 *
 * @param reattach the entry of TF_REATTACH_PROVIDERS for this provider, as JSON
 * @throws DiagnosticError `reattach_invalid`
 */
export function programEnvironment(env: Environment, reattach: string): Record<string, string> {
  const others = reattachedIn(env);
  const own = z.record(z.string(), z.unknown()).parse(parseJson(reattach));
  const withheld = new Set(withheldNames(env));
  const remaining = Object.entries(env).filter(([name, value]) => value !== undefined && !withheld.has(name));
  return { ...Object.fromEntries(remaining), [REATTACH]: JSON.stringify({ ...others, ...own }) };
}

/**
 * Returns the variables that the program does not get: Steward's own secrets, and variables with a copy of the token. The
 * program gets all other variables, such as TF_HTTP_PASSWORD.
 */
function withheldNames(env: Environment): string[] {
  const tokens = tokensIn(env);
  const file = env[TOKEN_FILE];
  const hasToken = (value: string) =>
    value === file ||
    tokens.some(
      (token) => value.trim() === token || (token.length >= MIN_TOKEN_LENGTH && value.includes(token)),
    );
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (OWN_SECRETS.has(name)) return [name];
    return value !== "" && !name.startsWith("TF_") && hasToken(value) ? [name] : [];
  });
}

/** Returns the entries of TF_REATTACH_PROVIDERS for providers in other processes. */
function reattachedIn({ [REATTACH]: text }: Environment): Readonly<Record<string, unknown>> {
  if (!text) return {};
  try {
    return z.record(z.string(), z.looseObject({})).parse(parseJson(text));
  } catch {
    return fail({
      code: "reattach_invalid",
      summary: "Invalid TF_REATTACH_PROVIDERS",
      detail: `${REATTACH} is not a JSON object of providers, so Steward can't add its provider. The program was not started. Correct or unset the variable.`,
    });
  }
}
