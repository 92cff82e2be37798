import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { DiagnosticError, fail } from "../../diagnostics";
import { ownPlatform, type PluginProgram, platformOf, SCRIPT_PLATFORMS, writeMirror } from "../../plugin";
import { PROVIDER_SOURCE } from "../../provider";
import type { MirrorArguments } from "../arguments/mirror";
import { bundleFile, isCurrent } from "../bundles";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";
import { writeMirrored } from "../views/mirror";

const SCRIPT = "plugin.js";
const LICENCES = "plugin-licences.txt";

/** Writes the mirror and the path of its CLI configuration. */
export async function mirror(args: MirrorArguments, terminal: Terminal): Promise<number> {
  const inFolder = (file: string) => path.resolve(terminal.folder, file);
  const folder = inFolder(args.folder);
  const executables = args.executables.map(inFolder);
  const platforms = args.platforms ?? (executables.length > 0 ? [] : [ownPlatform(), ...SCRIPT_PLATFORMS]);
  const configuration = await written(folder, () =>
    writeMirror(folder, {
      programs: programsOf(executables, platforms),
      licences: readFileSync(bundleFile(LICENCES)),
      source: PROVIDER_SOURCE,
      version: packageVersion(),
    }),
  );
  writeMirrored(configuration, folder, terminal);
  return 0;
}

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
  if (!isCurrent(SCRIPT)) {
    const what = existsSync(bundleFile(SCRIPT)) ? "is older than the compiled code" : "is missing";
    return fail({
      code: "plugin_not_built",
      summary: "The provider is not built",
      detail: `${bundleFile(SCRIPT)} ${what}. Run \`npm run build\`.`,
    });
  }
  return { script: readFileSync(bundleFile(SCRIPT)) };
}

async function written(folder: string, write: () => Promise<string>): Promise<string> {
  try {
    return await write();
  } catch (problem) {
    if (problem instanceof DiagnosticError) throw problem;
    return fail({
      code: "mirror_not_written",
      summary: "The mirror can't be written",
      detail: `Writing the provider to ${folder} failed: ${(problem as Error).message}`,
    });
  }
}
