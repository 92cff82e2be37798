import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { placeOfFile, readFileSync } from "../../files";
import type { NamedFile, NamedOutputs, Terminal } from "../terminal/terminal";
import { OUTPUT_KINDS, type OutputKind } from "./kinds";
import { requireWritable } from "./write-output";

/** A file that the command line names, and what the command does with it. */
interface UsedFile extends NamedFile {
  readonly use: "read" | OutputKind;
}

/** A file that a run reads, and the words with which messages name the file. */
interface ReadFile {
  readonly file: string;
  readonly what: string;
}

/**
 * Checks all files that a command line names, before the command does anything else.
 *
 * @throws DiagnosticError `file_used_twice` for an output file that the run also reads, or that two options write
 * @throws DiagnosticError with the code of the output's kind, for a file that the command may not replace
 */
export function requireUsable(used: readonly UsedFile[], force: boolean, terminal: Terminal): NamedOutputs {
  const place = { folder: terminal.folder, outputs: { force, files: [] } };
  const outputs = used.filter(({ use }) => use !== "read");
  const resolved = (file: string) => placeOfFile(path.resolve(terminal.folder, file));
  const earlier = new Map<string, UsedFile>();
  for (const output of outputs) {
    const at = resolved(output.file);
    const other = at === undefined ? undefined : earlier.get(at);
    if (other !== undefined) usedTwice(output, `would overwrite the output of ${other.option} ${other.file}`);
    if (at !== undefined) earlier.set(at, output);
  }
  requireNotRead(outputs, named(used), terminal.folder);
  const others = outputs.filter((output) => !isEarlierBlocks(output, terminal.folder));
  requireNotRead(others, wellKnown(used, terminal), terminal.folder);
  for (const output of outputs) requireNoInputName(output, used, terminal.folder);
  for (const { use, file } of outputs) requireWritable(use as OutputKind, file, place);
  return { force, files: outputs };
}

/**
 * Throws if the run would overwrite a file that it reads. `--since FILE --report FILE` is allowed: each run compares with the
 * report of the previous run.
 *
 * @throws DiagnosticError `file_used_twice`
 */
export function requireNotRead(
  outputs: readonly NamedFile[],
  read: readonly ReadFile[],
  folder: string,
): void {
  if (outputs.length === 0) return;
  const places = new Map(read.map((one) => [placeOfFile(path.resolve(folder, one.file)), one.what]));
  for (const output of outputs) {
    const at = placeOfFile(path.resolve(folder, output.file));
    const what = at === undefined ? undefined : places.get(at);
    if (what === undefined || (what.startsWith("--since ") && output.option === "--report")) continue;
    usedTwice(output, `would overwrite a file that this run reads (${what})`);
  }
}

/** Returns the files that the command line names and that the run reads. For a state, also returns its companion files. */
const named = (used: readonly UsedFile[]): ReadFile[] =>
  used
    .filter(({ use }) => use === "read")
    .flatMap(({ option, file }) => [
      { file, what: `${option} ${file}` },
      ...(option === "--state" ? companionsOfState(file, "the state") : []),
    ]);

/** Returns the file of a state, and the files of its backup, journal and lock. */
export const companionsOfState = (file: string, what: string): ReadFile[] => [
  { file, what },
  { file: `${file}.backup`, what: `the backup of ${what}` },
  { file: `${file}.journal`, what: `the journal of ${what}` },
  { file: path.join(path.dirname(file), `.${path.basename(file)}.lock.info`), what: `the lock of ${what}` },
];

/** Returns the files that a run reads although the command line does not name them. */
function wellKnown(used: readonly UsedFile[], { folder, env }: Terminal): ReadFile[] {
  const tokenFile = env["STEWARD_TOKEN_FILE"];
  const { at, names } = readFolder(used, folder);
  return [
    { file: "cdktf.json", what: "the settings of the app" },
    { file: "package.json", what: "the packages of the app" },
    ...(tokenFile ? [{ file: tokenFile, what: "STEWARD_TOKEN_FILE" }] : []),
    ...namesIn(at)
      .filter((name) => names.test(name))
      .map((name) => ({ file: path.join(at, name), what: "a file of the configuration" })),
  ];
}

const VARIABLES = String.raw`^terraform\.tfvars(?:\.json)?$|\.auto\.tfvars(?:\.json)?$`;

/**
 * Returns the folder in which a run finds files by their names, and a pattern for these names. The pattern matches files with
 * values of variables. If `--config` names a folder, the pattern also matches the configuration files.
 */
function readFolder(
  used: readonly UsedFile[],
  folder: string,
): { readonly at: string; readonly names: RegExp } {
  const config = used.find(({ option }) => option === "--config");
  if (config === undefined) return { at: folder, names: new RegExp(VARIABLES) };
  const given = path.resolve(folder, config.file);
  const isFolder = isFolderAt(given);
  return {
    at: isFolder ? given : path.dirname(given),
    names: new RegExp(isFolder ? `\\.(?:tf|tofu)(?:\\.json)?$|${VARIABLES}` : VARIABLES),
  };
}

/**
 * Returns true if the path is a folder. Returns false for an unreadable path. Steward reports an unreadable path later, when it
 * loads the configuration.
 */
function isFolderAt(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The kinds of output that users may write into the folder of the configuration. Terraform reads `import` and `moved` blocks
 * from this folder.
 */
const FOR_CONFIGURATION: ReadonlySet<string> = new Set<OutputKind>(["imports", "moves"]);

/**
 * Returns true if the file has blocks that an earlier plan wrote into the configuration. The run reads these blocks with the
 * configuration, and may replace the file later.
 */
function isEarlierBlocks({ use, file }: UsedFile, folder: string): boolean {
  if (use === "read" || !FOR_CONFIGURATION.has(use)) return false;
  try {
    const content = readFileSync(path.resolve(folder, file));
    return OUTPUT_KINDS[use].isOwn(content, () => content);
  } catch {
    return false;
  }
}

/** Refuses an output file with the name of an input file, such as `*.auto.tfvars`, because the next run would read the output. */
function requireNoInputName(
  { option, file, use }: UsedFile,
  used: readonly UsedFile[],
  folder: string,
): void {
  const target = path.resolve(folder, file);
  const { at, names } = readFolder(used, folder);
  if (FOR_CONFIGURATION.has(use) || path.dirname(target) !== at || !names.test(path.basename(target))) return;
  usedTwice({ option, file }, "would create a file that every run reads as configuration or variables");
}

function usedTwice({ option, file }: NamedFile, why: string): never {
  return fail({
    code: "file_used_twice",
    summary: "One file for two purposes",
    detail: `${option} ${file} ${why}. Nothing was started. Give ${option} another file.`,
  });
}
