import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { type AcceptedValue, ConfigurationSource, TypeScriptSource } from "../../adopt";
import { DiagnosticError, error, hasErrors } from "../../diagnostics";
import {
  type Configuration,
  type DriftedObject,
  type LoadedStacks,
  memberOf,
  type Value,
  withoutKeys,
} from "../../engine";
import {
  adviceForWriting,
  describeFileProblem,
  type FileOfSet,
  readFileSync,
  resolveLinks,
  SetProblem,
  writeSet,
} from "../../files";
import type { DriftArguments } from "../arguments/drift";
import { containerOf } from "../objects/object-facts";
import { loadNamedStacks } from "../stack-runs/load-stacks";
import type { Terminal } from "../terminal/terminal";
import { diagnosticsOf } from "../views/diagnostics";

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns the path of a file without symbolic links; undefined if the file does not exist. */
function realPathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function isBelow(file: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const relative = path.relative(folder, file);
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

/** A drifted attribute whose live value `drift --accept` may write into the code. */
export interface Candidate {
  readonly stack: string | undefined;
  readonly drifted: DriftedObject;
  readonly attribute: string;
  readonly declared: Value;
  readonly live: Value;
}

interface Source {
  readonly file: string;
  /** The text of the file as Steward read it. The text in `code` already contains the accepted live values. */
  readonly text: string;
  readonly code: TypeScriptSource | ConfigurationSource;
}

/**
 * The source files of an app or a configuration. `write` puts the accepted live values into all of these files, or changes no
 * file.
 */
export class AcceptedCode {
  /** The source files that were opened, by absolute path. */
  readonly #sources = new Map<string, Source>();
  #loaded: LoadedStacks | undefined;

  constructor(
    private readonly args: DriftArguments,
    private readonly terminal: Terminal,
  ) {}

  async load(): Promise<LoadedStacks> {
    this.#loaded = await loadNamedStacks(this.args, this.terminal);
    return this.#loaded;
  }

  get #changed(): readonly Source[] {
    return [...this.#sources.values()].filter(({ code, text }) => code.text !== text);
  }

  /** The names of the files that `write` would change. */
  get files(): readonly string[] {
    return this.#changed.map(({ file }) => this.#nameOf(file));
  }

  get diff(): readonly string[] {
    return this.#changed.flatMap(({ file, text, code }) => unifiedDiff(this.#nameOf(file), text, code.text));
  }

  #nameOf(file: string): string {
    return path.relative(this.terminal.folder, file);
  }

  /**
   * Puts a live value into the code in memory; `write` saves the files. Returns the reason if the code can't contain the
   * value.
   */
  accept({ stack, drifted, attribute, declared, live }: Candidate): string | undefined {
    const { change } = drifted;
    const schema = change.attributes[attribute]!;
    const value = { type: change.type, attribute, schema, declared, live };
    const [, file, line] = /^(.+):(\d+)$/s.exec(change.position ?? "") ?? [];
    if (file === undefined) {
      const source = this.#configurationOf(change.type, change.name, stack);
      return source === undefined
        ? "no file of this folder declares it"
        : source.accept({ ...value, name: change.name });
    }
    const declaration = this.#configuration(stack)?.resources.get(withoutKeys(change.address));
    if (declaration?.fleet === undefined && change.indexKey !== undefined)
      return "it declares several objects";
    const declaring = path.resolve(this.terminal.folder, file);
    if (existsSync(declaring) && !this.#isOwn(declaring)) return `${file} is outside the folder of the app`;
    const source = this.#open(declaring);
    if (!(source?.code instanceof TypeScriptSource)) return `${file} can't be read`;
    const where = containerOf(change)?.name;
    if (declaration?.fleet !== undefined && (where === undefined || /^\d+$/.test(where)))
      return "the path of its project is not known";
    const { key } = memberOf(String(change.indexKey));
    const accepted: AcceptedValue = {
      ...value,
      object: change.before!,
      line: Number(line),
      project: where,
      objects: this.#objectsAt(change.position!, change.type, change.construct),
      ...(declaration?.fleet !== undefined && {
        fleet: { where: where!, key, reason: this.args.reason },
      }),
    };
    return source.code.accept(accepted);
  }

  #configuration(stack: string | undefined): Configuration | undefined {
    return this.#loaded?.stacks.find(({ name }) => name === stack)?.configuration;
  }

  /**
   * Counts the resources of a type that one line of code declares. A line in a loop declares several resources, and a change of
   * this line would change all these resources. With `construct`, counts only the resources of this part of a construct, such
   * as an environment of a `ProjectSettings`.
   */
  #objectsAt(position: string, type: string, construct = ""): number {
    const { stacks = [], unselected = [] } = this.#loaded ?? {};
    const all = [
      ...stacks.map(({ configuration }) => configuration),
      ...unselected.map(({ load }) => load()),
    ];
    const here = all.flatMap(({ resources }) =>
      [...resources.values()].filter((one) => one.position === position && one.type === type),
    );
    const part = construct.slice(construct.lastIndexOf("/") + 1);
    const parents = new Set(here.map((one) => (one.construct ?? "").replace(/\/[^/]*$/, "")));
    // The resources of one construct have the same parent and different names. A loop makes several constructs, so the
    // resources of a loop have different parents.
    const isOne = parents.size === 1 && [...parents].every((parent) => parent.includes("/"));
    return isOne ? here.filter((one) => one.construct?.endsWith(`/${part}`)).length : here.length;
  }

  #configurationOf(type: string, name: string, stack: string | undefined): ConfigurationSource | undefined {
    const files = this.#configuration(stack)?.files.map(({ file }) =>
      path.resolve(this.terminal.folder, file),
    );
    const folder = this.terminal.folder;
    const candidates =
      files ??
      readdirSync(folder)
        .filter((one) => /\.tf(?:\.json)?$/.test(one))
        .map((one) => path.join(folder, one));
    for (const file of candidates.filter((one) => this.#isOwn(one))) {
      const source = this.#open(file);
      if (source?.code instanceof ConfigurationSource && source.code.isDeclared(type, name))
        return source.code;
    }
    return undefined;
  }

  /**
   * Returns true if the real path of a file is below the working folder or the folder of `--config`. Steward must not edit
   * files outside of these two folders. The position comes from the synthesized configuration, which can name any file.
   */
  #isOwn(file: string): boolean {
    const { folder } = this.terminal;
    const configuration = path.resolve(folder, this.args.config ?? ".");
    const roots = [folder, isFolder(configuration) ? configuration : path.dirname(configuration)];
    const real = realPathOf(file);
    return real !== undefined && roots.some((root) => isBelow(real, realPathOf(root)));
  }

  #open(file: string): Source | undefined {
    const known = this.#sources.get(file);
    if (known !== undefined) return known;
    const text = textOf(file);
    if (text === undefined) return undefined;
    const isConfiguration = /\.tf(?:\.json)?$/.test(file);
    const code = isConfiguration ? new ConfigurationSource(text, file) : new TypeScriptSource(text, file);
    const source = { file, text, code };
    this.#sources.set(file, source);
    return source;
  }

  /**
   * Writes all files. If Steward can't synthesize the app from the new files, for example because of a policy, Steward restores
   * the old files.
   */
  async write(): Promise<void> {
    const sources = this.#changed;
    requireUnedited(sources, this.terminal);
    const replace = async (contentOf: (source: Source) => string) =>
      writeSet(
        await Promise.all(
          sources.map(async (source): Promise<FileOfSet> => {
            const file = await resolveLinks(source.file);
            return { file, content: contentOf(source), reader: "text", audience: "anyone" };
          }),
        ),
      );
    await replace(({ code }) => code.text).catch((problem: unknown) => {
      throw refused(problem, this.terminal);
    });
    try {
      if (this.#loaded !== undefined) await loadNamedStacks(this.args, this.terminal);
    } catch (problem) {
      await replace(({ text }) => text);
      throw refused(problem, this.terminal);
    }
  }

  /**
   * Runs the app with the new code in a copy of its folder, to find code that `write` would refuse.
   *
   * @returns false if the app can't run in the copy even without the new code, because it needs files outside of its folder
   * @throws DiagnosticError `accept_refused`
   */
  async tryOut(): Promise<boolean> {
    if (this.#loaded === undefined || this.args.config !== undefined) return true;
    if (this.files.some((name) => name.startsWith(".."))) return false;
    const problem = await this.#runCopy(this.#changed);
    if (problem === undefined) return true;
    if ((await this.#runCopy([])) !== undefined) return false;
    throw refused(problem, this.terminal);
  }

  /**
   * Synthesizes a copy of the app with the changed files. Returns the error of the app; undefined if the app runs without an
   * error.
   */
  async #runCopy(changed: readonly Source[]): Promise<unknown> {
    const { folder } = this.terminal;
    const copy = await mkdtemp(path.join(tmpdir(), "steward-accept-"));
    try {
      const isCopied = (file: string) => path.dirname(file) !== folder || !LEFT_OUT.test(path.basename(file));
      await cp(folder, copy, { recursive: true, filter: isCopied });
      // The `node_modules` folder in which Node finds the packages of the app.
      const modules = createRequire(path.join(folder, "app.js")).resolve.paths("app")?.find(existsSync);
      if (modules !== undefined) await symlink(modules, path.join(copy, "node_modules"), "junction");
      for (const source of changed)
        await writeFile(path.join(copy, this.#nameOf(source.file)), source.code.text);
      await loadNamedStacks(this.args, { ...this.terminal, folder: copy });
      return undefined;
    } catch (problem) {
      return problem;
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }
}

/**
 * Matches the names of files and folders that are not copied: no app reads them, or the copy has a link to them
 * (`node_modules`).
 */
const LEFT_OUT = /^(?:\.git|cdktf\.out|node_modules|.*\.tfstate.*)$/;

/** Returns the text of a file; undefined if the file can't be read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Refuses to write if a person edited a source file after this run read the file. @throws DiagnosticError `accept_refused` */
function requireUnedited(sources: readonly Source[], { folder }: Terminal): void {
  const edited = sources.find(({ file, text }) => textOf(file) !== text);
  if (edited !== undefined)
    throw new DiagnosticError(
      acceptRefused(
        `${path.relative(folder, edited.file)} was edited after this run had read it. The code is unchanged. Run the command again.`,
      ),
    );
}

const acceptRefused = (detail: string) =>
  error({ code: "accept_refused", summary: "Live values can't be accepted", detail });

function refused(problem: unknown, terminal: Terminal): DiagnosticError {
  if (problem instanceof SetProblem)
    return new DiagnosticError(
      acceptRefused(
        `${path.relative(terminal.folder, problem.file)} can't be written (${problem.message}). ${adviceForWriting(problem.cause)}. The code is unchanged.`,
      ),
    );
  const known = diagnosticsOf(problem, terminal);
  return new DiagnosticError([
    acceptRefused(
      hasErrors(known)
        ? "The app can't be synthesized with the live values, or a file can't be written. See the errors below. The code is unchanged."
        : describeFileProblem(problem),
    ),
    ...known,
  ]);
}

/** Returns the changes of a file in the format of `diff -u` and `git apply`. */
function unifiedDiff(file: string, before: string, after: string): string[] {
  // The module is loaded on use: only a diff needs it.
  const { structuredPatch }: typeof import("diff") = require("diff");
  const { hunks } = structuredPatch(file, file, before, after, undefined, undefined, { context: 3 });
  if (hunks.length === 0) return [];
  const lines = hunks.flatMap((one) => [
    `@@ -${one.oldStart},${one.oldLines} +${one.newStart},${one.newLines} @@`,
    ...one.lines,
  ]);
  return [`--- a/${file}`, `+++ b/${file}`, ...lines];
}
