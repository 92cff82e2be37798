import { existsSync } from "node:fs";
import path from "node:path";
import { isSea } from "node:sea";
import { DiagnosticError, fail } from "../../diagnostics";
import { ownPlatform, type PluginProgram, platformOf, SCRIPT_PLATFORMS, writeMirror } from "../../plugin";
import { PROVIDER_SOURCE } from "../../provider";
import type { Run } from "../arguments/command-line";
import type { execLine, mirrorLine } from "../arguments/terraform";
import { bundleFile, isCurrent, PLUGIN, PLUGIN_LICENCES, readBundled } from "../bundles";
import { programEnvironment, runProgram, withheldNames } from "../exec/run-program";
import { Handlers } from "../run/handlers";
import { ownProvider } from "../stacks/providers";
import { logRequest } from "../terminal/log";
import { packageVersion } from "../version";
import { writeMirrored } from "../views/command-results";

/** Runs a program with the provider of this process and returns the program's exit code. */
export const exec: Run<typeof execLine> = async ({ program, args, maxRequestsPerMinute }, terminal) => {
  // Loaded on use: no other command needs gRPC.
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
      notStarted(program, problem),
    );
  } finally {
    // When the program ends, requests in flight are completed unless another signal arrives.
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
    "the file is not executable. Name a program: `steward exec -- terraform plan`; or make the file executable.",
};

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): never {
  return fail({
    code: "program_not_started",
    summary: "Program can't be started",
    detail: `\`${program}\` was not started: ${REASONS[code ?? ""] ?? `${message}. Correct the command: \`steward exec -- terraform plan\`.`}`,
  });
}

/** Writes the mirror and the path of its CLI configuration. */
export const mirror: Run<typeof mirrorLine> = async (args, terminal) => {
  const inFolder = (file: string) => path.resolve(terminal.folder, file);
  const folder = inFolder(args.folder);
  // The single executable is the provider as well.
  const executables = [...(isSea() ? [process.execPath] : []), ...args.executables.map(inFolder)];
  const platforms = args.platforms ?? (executables.length > 0 ? [] : [ownPlatform(), ...SCRIPT_PLATFORMS]);
  const configuration = await writeMirror(folder, {
    programs: programsOf(executables, platforms),
    source: PROVIDER_SOURCE,
    version: packageVersion(),
  }).catch((problem) => {
    if (problem instanceof DiagnosticError) throw problem;
    return fail({
      code: "mirror_not_written",
      summary: "The mirror can't be written",
      detail: `Writing the provider to ${folder} failed: ${(problem as Error).message}`,
    });
  });
  writeMirrored(configuration, folder, terminal);
  return 0;
};

/** Executables for their own platforms, and the script for the other ones that are asked for. */
function programsOf(
  executables: readonly string[],
  platforms: readonly string[],
): ReadonlyMap<string, PluginProgram> {
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
        `Terraform on ${windows} can't start a script that runs on Node. Pass the single executable of the ` +
        "release for Windows with --executable.",
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
