import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, DiagnosticError, fail, hasErrors } from "../../diagnostics";
import type { SourceArguments } from "../arguments/stack-options";
import { annotationDiagnostics, type StackEntry, selectStacks } from "../stacks/manifest";
import { synthesize } from "../stacks/synthesize";
import type { Log } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { type Declarations, readDeclarations } from "./declarations";

/** A stack that another engine works on: it reads the folder by itself. */
export interface EngineStack extends Pick<StackEntry, "folder" | "dependencies"> {
  /** Its name in the app; nothing for a configuration that was named by its path. */
  readonly name: string | undefined;
  readonly constructPath: string | undefined;
  readonly declarations: Declarations;
}

/** The configuration that `--config` names, or the app's stacks, freshly synthesized, in the order of their dependencies. */
export async function engineStacks(
  source: SourceArguments,
  terminal: Terminal,
  log: Log,
): Promise<{ readonly stacks: readonly EngineStack[]; readonly warnings: readonly Diagnostic[] }> {
  if (source.config !== undefined) {
    const folder = configurationFolder(path.resolve(terminal.folder, source.config));
    const declarations = readDeclarations(folder);
    return {
      stacks: [{ name: undefined, constructPath: undefined, dependencies: [], folder, declarations }],
      warnings: [],
    };
  }
  const { stacks } = await synthesize(source, terminal, log);
  const entries = selectStacks(stacks, source.stacks);
  const warnings = annotationDiagnostics(entries);
  if (hasErrors(warnings)) throw new DiagnosticError(warnings);
  return {
    stacks: entries.map((entry) => ({ ...entry, declarations: readDeclarations(entry.folder) })),
    warnings,
  };
}

/** Terraform reads a folder: a file stands for it where it is the only configuration in there. */
function configurationFolder(place: string): string {
  const about = statSync(place, { throwIfNoEntry: false });
  if (about === undefined) return unusable(place, "it is not there");
  if (about.isDirectory()) return place;
  const folder = path.dirname(place);
  const other = readdirSync(folder).find(
    (name) => /\.(tf|tofu)(\.json)?$/.test(name) && name !== path.basename(place),
  );
  if (!/\.tf(\.json)?$/.test(place)) return unusable(place, "its name ends neither in .tf.json nor in .tf");
  if (other === undefined) return folder;
  return unusable(
    place,
    `Terraform reads all files of a folder, and ${other} stands beside it: name the folder`,
  );
}

const unusable = (place: string, why: string): never =>
  fail({
    code: "configuration_not_found",
    summary: "No configuration",
    detail: `${place} can't be given as --config: ${why}.`,
  });
