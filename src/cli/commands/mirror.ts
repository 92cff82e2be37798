import { existsSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { type PluginProgram, writeMirror } from "../../plugin";
import { PROVIDER_SOURCE } from "../../provider";
import type { MirrorArguments } from "../arguments/mirror";
import { bundleFile, isCurrent } from "../bundles";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";
import { writeMirrored } from "../views/mirror";

const SCRIPT = "plugin.js";

/** Writes the mirror and the path of its CLI configuration. */
export async function mirror(args: MirrorArguments, terminal: Terminal): Promise<number> {
  const { folder, executable, platforms } = args;
  const inFolder = (file: string) => path.resolve(terminal.folder, file);
  const program = executable === undefined ? script(platforms) : { executable: inFolder(executable) };
  const configuration = await write(inFolder(folder), program, platforms);
  writeMirrored(configuration, terminal);
  return 0;
}

function script(platforms: readonly string[]): PluginProgram {
  const windows = platforms.find((each) => each.startsWith("windows_"));
  if (windows !== undefined) {
    return fail({
      code: "mirror_needs_executable",
      summary: "Windows can't start a script",
      detail:
        `Terraform on ${windows} can't start a script that runs on Node. Build the single executable ` +
        "on Windows with `npm run build:executable`, and pass it with --executable.",
    });
  }
  if (!isCurrent(SCRIPT)) {
    const what = existsSync(bundleFile(SCRIPT)) ? "is older than the compiled code" : "is missing";
    return fail({
      code: "plugin_not_built",
      summary: "The provider is not built",
      detail: `${bundleFile(SCRIPT)} ${what}. Run \`npm run build\`.`,
    });
  }
  return { script: bundleFile(SCRIPT) };
}

async function write(folder: string, program: PluginProgram, platforms: readonly string[]): Promise<string> {
  try {
    return await writeMirror(folder, {
      program,
      platforms,
      licences: bundleFile("plugin-licences.txt"),
      source: PROVIDER_SOURCE,
      version: packageVersion(),
    });
  } catch (problem) {
    return fail({
      code: "mirror_not_written",
      summary: "The mirror can't be written",
      detail: `Writing the provider to ${folder} failed: ${(problem as Error).message}`,
    });
  }
}
