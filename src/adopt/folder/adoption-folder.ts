import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { fail } from "../../diagnostics";
import {
  adviceForWriting,
  describeFileProblem,
  type FileOfSet,
  readFile,
  removeFile,
  requireWritablePlace,
  SetProblem,
  SMALL_FILE,
  systemCode,
  writeSet,
} from "../../files";
import { parseJson } from "../../json";
import { EMAILS_FILE, EMAILS_VARIABLE } from "../model/emails";
import type { AdoptedFile } from "../model/live-settings";
import { STACK_UNITS, type StackUnit } from "../typescript/stack-plan";

/** A file of an adoption, and its outcome. */
export interface WrittenFile {
  readonly path: string;
  /**
   * The adoption wrote, removed or did not change the file. If a user edited or deleted the file after an earlier adoption, and
   * this adoption did not write it, the outcome is `edited` or `deleted`.
   */
  readonly outcome: "written" | "unchanged" | "edited" | "deleted" | "removed";
}

/** Returns the text of a file; undefined if the file does not exist. @throws DiagnosticError */
async function readText(file: string, maxBytes?: number): Promise<string | undefined> {
  try {
    return (await readFile(file, { links: "refuse", ...(maxBytes && { maxBytes }) })).toString("utf8");
  } catch (problem) {
    return systemCode(problem) === "ENOENT" ? undefined : failWith(file, problem);
  }
}

/** Returns the content of a JSON file; undefined if the file does not exist. @throws DiagnosticError */
async function readJson(file: string): Promise<unknown> {
  const text = await readText(file, 64 * SMALL_FILE);
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch (problem) {
    return failWith(file, problem);
  }
}

const parseBytes = (content: Buffer): unknown => parseJson(content.toString("utf8"));

/** Returns the e-mail addresses by name that the file next to an app contains. @throws DiagnosticError */
async function knownEmailsIn(folder: string): Promise<Record<string, string>> {
  const content = (await readJson(path.join(folder, EMAILS_FILE))) as { readonly [name: string]: unknown };
  const entries = Object.entries(Object(content?.[EMAILS_VARIABLE]));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function failWith(what: string, problem: unknown): never {
  const { file, cause } = problem instanceof SetProblem ? problem : { file: what, cause: problem };
  return fail({
    code: "adoption_not_written",
    summary: "The adoption can't be written",
    detail: `${file} can't be used: ${describeFileProblem(cause)}. ${adviceForWriting(cause)}. Nothing was replaced.`,
  });
}

/** The name of the file that lists the files of an adoption with their hashes. The hashes show which files a user edited. */
const MANIFEST = ".steward-adopt.json";
/** Matches the name of a file directly in the folder. A manifest can contain other paths, which an adoption must not touch. */
const FILE_NAME = /^\.?[\w-][\w.-]*$/;
/** The files that a folder may contain before the first adoption. */
const IGNORED = new Set([".git"]);

/** A folder to which an adoption writes code: a new folder, or the folder of an earlier adoption. */
export class AdoptionFolder {
  /** Hashes of the files of the earlier adoption, by path. */
  readonly #hashes: ReadonlyMap<string, string>;
  /** Whether an earlier adoption wrote files to the folder. */
  readonly isAdopted: boolean;

  private constructor(
    private readonly folder: string,
    hashes: ReadonlyMap<string, string> | undefined,
    /** The e-mail addresses of the earlier adoption, by their names in its code. */
    readonly knownEmails: Readonly<Record<string, string>>,
    /** Whether this adoption can overwrite edited files and files that no adoption wrote. */
    private readonly force: boolean,
    /** The stack unit of the earlier adoption; undefined if there was no adoption. */
    readonly stackPer: StackUnit | undefined,
  ) {
    this.#hashes = hashes ?? new Map();
    this.isAdopted = hashes !== undefined;
  }

  /**
   * Returns the folder after a check that reads it and writes nothing.
   *
   * @param force whether this adoption can overwrite edited files and files that no adoption wrote
   * @throws DiagnosticError if the folder can't be read or written. Without `force`, also thrown if the folder contains files and
   * no earlier adoption wrote to it
   */
  static async open(folder: string, force: boolean): Promise<AdoptionFolder> {
    let entries: string[];
    try {
      entries = await readdir(folder);
      requireWritablePlace(path.join(folder, MANIFEST));
    } catch (problem) {
      if (systemCode(problem) === "ENOENT")
        return new AdoptionFolder(folder, undefined, {}, force, undefined);
      return failWith(folder, problem);
    }
    const manifest = await readJson(path.join(folder, MANIFEST));
    if (manifest === undefined && !force && entries.some((entry) => !IGNORED.has(entry)))
      fail({
        code: "adoption_folder_not_empty",
        summary: "Folder is not empty",
        detail:
          `${folder} contains files that \`steward adopt\` did not write. Nothing was written. Choose a new folder with ` +
          "--out. To overwrite files with the same names, add --force.",
      });
    const files = Object.entries(Object((manifest as { files?: unknown })?.files)).filter(([name]) =>
      FILE_NAME.test(name),
    );
    const hashes = new Map(files.map(([name, hash]) => [name, String(hash)]));
    return new AdoptionFolder(
      folder,
      manifest === undefined ? undefined : hashes,
      await knownEmailsIn(folder),
      force,
      manifest === undefined ? undefined : stackUnitIn(manifest),
    );
  }

  /**
   * Writes each file whose content differs from the earlier adoption. Removes unedited files of the earlier adoption that are
   * not in `files`. If the earlier adoption wrote the same content, leaves the file as it is, even if a user edited or deleted
   * it.
   *
   * @param stackPer the unit of a stack in the app; undefined for a configuration
   * @throws DiagnosticError if the adoption would change an edited file; in this case, nothing is written
   */
  async write(files: readonly AdoptedFile[], stackPer?: StackUnit): Promise<WrittenFile[]> {
    const before = new Map<string, string | undefined>();
    const leftOver = [...this.#hashes.keys()].filter((name) => files.every((file) => file.path !== name));
    for (const name of [...files.map((file) => file.path), ...leftOver])
      before.set(name, await readText(path.join(this.folder, name)));
    const isEdited = (name: string): boolean => {
      const text = before.get(name);
      return text !== undefined && text !== "" && this.#hashes.get(name) !== hashOf(text);
    };
    const hasEdits = files.some((file) => isEdited(file.path));
    const isKept = (file: AdoptedFile): boolean => {
      const text = before.get(file.path);
      if (text === file.text) return true;
      if (this.#hashes.get(file.path) !== hashOf(file.text)) return false;
      // A user who edited the app may also have deleted this file on purpose, such as the file with imports after the first
      // apply. A deleted file of an edited app is not written again.
      return text !== undefined || (hasEdits && file.path !== EMAILS_FILE);
    };
    const changed = files.filter((file) => !isKept(file));
    const edited = changed.map((file) => file.path).filter(isEdited);
    if (edited.length > 0 && !this.force) wasEdited(this.folder, edited);
    try {
      await writeSet(
        [...changed, ...(await this.#newManifest(files, stackPer))].map((file) => this.#inFolder(file)),
      );
      const removed = leftOver.filter((name) => before.get(name) !== undefined && !isEdited(name));
      for (const name of removed) await removeFile(path.join(this.folder, name));
      return [
        ...files.map((file): WrittenFile => {
          if (changed.includes(file)) return { path: file.path, outcome: "written" };
          const text = before.get(file.path);
          const kept = text === undefined ? "deleted" : "edited";
          return { path: file.path, outcome: text === file.text ? "unchanged" : kept };
        }),
        ...removed.map((name): WrittenFile => ({ path: name, outcome: "removed" })),
      ];
    } catch (problem) {
      return failWith(this.folder, problem);
    }
  }

  /**
   * Returns a list with the new manifest, to be written after all other files. The list is empty if the manifest would not
   * change.
   */
  async #newManifest(files: readonly AdoptedFile[], stackPer: StackUnit | undefined): Promise<AdoptedFile[]> {
    const hashes = Object.fromEntries(files.map((file) => [file.path, hashOf(file.text)]));
    // Manifests of earlier releases have no unit, and their apps have one stack. A manifest without a unit therefore means one
    // stack for the whole app.
    const unit = stackPer === "app" ? undefined : stackPer;
    const content = { format_version: 1, stack_per: unit, files: hashes };
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    return (await readText(path.join(this.folder, MANIFEST))) === text ? [] : [{ path: MANIFEST, text }];
  }

  #inFolder({ path: name, text }: AdoptedFile): FileOfSet {
    // Only this user may read the addresses of people.
    const audience = name === EMAILS_FILE ? "owner" : "anyone";
    const reader = name.endsWith(".json") ? parseBytes : "text";
    return { file: path.join(this.folder, name), content: text, reader, audience };
  }
}

/**
 * Returns the stack unit that a manifest records. A manifest of an earlier release has no unit and means one stack for the app.
 */
function stackUnitIn(manifest: unknown): StackUnit {
  const unit = (manifest as { readonly stack_per?: unknown } | null)?.stack_per;
  return STACK_UNITS.find((one) => one === unit) ?? "app";
}

const hashOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

const wasEdited = (folder: string, files: readonly string[]): never =>
  fail({
    code: "adopted_file_edited",
    summary: "Adopted files were edited",
    detail:
      `In ${folder}, ${files.join(", ")} ${files.length === 1 ? "was" : "were"} edited after the last adoption, and a new ` +
      "adoption would lose these edits. Nothing was written. Add the missing declarations with --into FILE, or adopt into " +
      "a new folder. To discard the edits, add --force.",
  });

const changedMeanwhile = (file: string): never =>
  fail({
    code: "adopted_file_edited",
    summary: "File changed during the run",
    detail: `${file} was edited after this run read it. Nothing was written. Run the command again.`,
  });

/** The result of adding declarations to an app. */
interface Addition {
  /** The new text of the file; undefined if the file stays unchanged. */
  readonly text: string | undefined;
  /** All e-mail addresses of invitations by name; undefined if the app does not read addresses from a file. */
  readonly emails: Readonly<Record<string, string>> | undefined;
}

/** An existing app, and the file to which an adoption adds declarations. */
export class ExistingApp {
  private constructor(
    /** The folder that contains the `cdktf.json` of the app. */
    readonly folder: string,
    /** The file that gets the declarations. */
    readonly file: string,
    readonly source: string,
    /** The e-mail addresses of invitations, by the names that the app has for them. */
    readonly knownEmails: Readonly<Record<string, string>>,
  ) {}

  /** Opens the app to which a file belongs. @throws DiagnosticError if the file can't be read, or belongs to no app */
  static async open(file: string): Promise<ExistingApp> {
    const source = await readText(file);
    if (source === undefined)
      return fail({
        code: "adoption_file_not_found",
        summary: "File not found",
        detail: `${file} does not exist. Pass the file that declares the stack, such as main.ts. To write a new app, use --out DIR.`,
      });
    let folder = path.dirname(file);
    while ((await readText(path.join(folder, "cdktf.json"))) === undefined) {
      const parent = path.dirname(folder);
      if (parent === folder)
        return fail({
          code: "adoption_file_not_found",
          summary: "File is not part of an app",
          detail: `There is no cdktf.json in the folder of ${file} or above it. Pass a source file of an app, or write a new app with --out DIR.`,
        });
      folder = parent;
    }
    return new ExistingApp(folder, file, source, await knownEmailsIn(folder));
  }

  /**
   * Writes the changed files of the app. Returns each written file with its outcome.
   *
   * @throws DiagnosticError
   */
  async add({ text, emails }: Addition): Promise<WrittenFile[]> {
    const name = path.relative(this.folder, this.file);
    if (text === undefined) return [{ path: name, outcome: "unchanged" }];
    try {
      if ((await readText(this.file)) !== this.source) return changedMeanwhile(this.file);
      const beside = emails === undefined ? [] : await this.#withEmails(emails);
      const files = [
        ...beside,
        { file: this.file, content: text, reader: "text", audience: "anyone" } as const,
      ];
      await writeSet(files);
      return files.map(({ file }) => ({ path: path.relative(this.folder, file), outcome: "written" }));
    } catch (problem) {
      return failWith(this.folder, problem);
    }
  }

  /** Returns the file with the addresses. If git does not ignore this file yet, `.gitignore` comes first. */
  async #withEmails(emails: Readonly<Record<string, string>>): Promise<FileOfSet[]> {
    const ignored = path.join(this.folder, ".gitignore");
    const patterns = (await readText(ignored)) ?? "";
    const isIgnored = patterns
      .split(/\r?\n/)
      .some((line) => /^\/?(?:\*|emails)\.auto\.tfvars\.json$/.test(line.trim()));
    const start = patterns === "" || patterns.endsWith("\n") ? patterns : `${patterns}\n`;
    const file = path.join(this.folder, EMAILS_FILE);
    const before = (await readJson(file)) as object | undefined;
    const content = `${JSON.stringify({ ...before, [EMAILS_VARIABLE]: emails }, undefined, 2)}\n`;
    return [
      ...(isIgnored
        ? []
        : [
            {
              file: ignored,
              content: `${start}${EMAILS_FILE}\n`,
              reader: "text",
              audience: "anyone",
            } as const,
          ]),
      { file, content, reader: parseBytes, audience: "owner" },
    ];
  }
}
