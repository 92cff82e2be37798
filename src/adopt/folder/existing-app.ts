import path from "node:path";
import { fail } from "../../diagnostics";
import { replaceFile } from "../../files";
import { EMAILS_FILE, EMAILS_VARIABLE } from "../model/emails";
import { failWith, knownEmailsIn, readJson, readText, type WrittenFile } from "./files";

/** What is added to an app. */
interface Addition {
  /** The new text of the file; undefined if it stays as it is. */
  readonly text: string | undefined;
  /** All addresses by name, if the app takes them from a file. */
  readonly emails: Readonly<Record<string, string>> | undefined;
}

/** An app of somebody, to one file of which declarations are added. */
export class ExistingApp {
  /** The folder of its `cdktf.json`. */
  readonly folder: string;
  /** The file to add to. */
  readonly file: string;
  readonly source: string;
  /** Addresses by the names that the app has for them. */
  readonly knownEmails: Readonly<Record<string, string>>;

  private constructor(folder: string, file: string, source: string, knownEmails: Record<string, string>) {
    this.folder = folder;
    this.file = file;
    this.source = source;
    this.knownEmails = knownEmails;
  }

  /** @throws DiagnosticError if the file can't be read, or belongs to no app */
  static async open(file: string): Promise<ExistingApp> {
    const source = await readText(file);
    if (source === undefined) return noSuchFile(file);
    let folder = path.dirname(file);
    while ((await readText(path.join(folder, "cdktf.json"))) === undefined) {
      const parent = path.dirname(folder);
      if (parent === folder) return noApp(file);
      folder = parent;
    }
    return new ExistingApp(folder, file, source, await knownEmailsIn(folder));
  }

  /** Writes what changed. @throws DiagnosticError */
  async add({ text, emails }: Addition): Promise<WrittenFile[]> {
    const name = path.relative(this.folder, this.file);
    if (text === undefined) return [{ path: name, outcome: "unchanged" }];
    try {
      const written = emails === undefined ? [] : await this.#addEmails(emails);
      await replaceFile(this.file, [text], "anyone");
      return [...written, { path: name, outcome: "written" }];
    } catch (problem) {
      return failWith(this.folder, problem);
    }
  }

  /** Writes the addresses first, and keeps git from storing them. */
  async #addEmails(emails: Readonly<Record<string, string>>): Promise<WrittenFile[]> {
    const ignored = path.join(this.folder, ".gitignore");
    const patterns = (await readText(ignored)) ?? "";
    const isIgnored = patterns
      .split(/\r?\n/)
      .some((line) => /^\/?(?:\*|emails)\.auto\.tfvars\.json$/.test(line.trim()));
    if (!isIgnored) {
      const start = patterns === "" || patterns.endsWith("\n") ? patterns : `${patterns}\n`;
      await replaceFile(ignored, [`${start}${EMAILS_FILE}\n`], "anyone");
    }
    const file = path.join(this.folder, EMAILS_FILE);
    const before = (await readJson(file)) as object | undefined;
    const content = { ...before, [EMAILS_VARIABLE]: emails };
    await replaceFile(file, [`${JSON.stringify(content, undefined, 2)}\n`], "owner");
    return [
      ...(isIgnored ? [] : [{ path: ".gitignore", outcome: "written" as const }]),
      { path: EMAILS_FILE, outcome: "written" },
    ];
  }
}

const noSuchFile = (file: string): never =>
  fail({
    code: "adoption_file_not_found",
    summary: "File not found",
    detail: `${file} does not exist. Give the file that declares the stack, such as main.ts; --out DIR writes a new app.`,
  });

const noApp = (file: string): never =>
  fail({
    code: "adoption_file_not_found",
    summary: "No app around the file",
    detail:
      `Neither the folder of ${file} nor one above it has a cdktf.json, which says how the app is run. Give a file of ` +
      "an app; --out DIR writes a new one.",
  });
