import { constants, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import {
  openFile,
  readFile,
  removeFile,
  replaceFile,
  resolveLinks,
  syncContent,
  syncFolder,
} from "../../files";
import { codeOf, stateIoError } from "../storage/io-errors";
import { journalIsState } from "../storage/occupied";
import { type JournalStore, parseLine } from "./entries";

/** The open file and the length of its valid content. */
interface OpenFile {
  readonly handle: FileHandle;
  size: number;
}

/** A journal in the file `<state>.journal`, readable only by its owner. */
export class FileJournal implements JournalStore {
  readonly description: string;
  #open: OpenFile | undefined;
  /** The length in bytes of the lines that `replace` wrote; undefined before `replace` is called. */
  #replaced: number | undefined;

  /** @param state the path of the state; links are resolved, so that all links to a state share one journal */
  constructor(private readonly state: string) {
    this.description = journalOf(state);
  }

  async read(): Promise<string | undefined> {
    try {
      const text = (await readFile(await this.#path(), { links: "refuse" })).toString("utf8");
      // A text that begins with a brace is a state, because every line of a journal begins with its checksum.
      return text.trimStart().startsWith("{") ? journalIsState(this.description, this.state) : text;
    } catch (problem) {
      if (codeOf(problem) === "ENOENT") return undefined;
      throw stateIoError(problem, "read", this.description, "journal");
    }
  }

  append(lines: readonly string[]): Promise<void> {
    return this.#explain(async () => {
      this.#open ??= await this.#create();
      await write(this.#open, Buffer.from(lines.join("")));
    });
  }

  replace(lines: readonly string[]): Promise<void> {
    return this.#explain(async () => {
      const text = lines.join("");
      await this.release();
      const file = await this.#path();
      await replaceFile(file, { text, reader: readLines });
      await syncFolder(path.dirname(file));
      this.#replaced = Buffer.byteLength(text);
    });
  }

  async release(): Promise<void> {
    const held = this.#open;
    this.#open = undefined;
    await held?.handle.close();
  }

  clear(): Promise<void> {
    return this.#explain(async () => {
      await this.release();
      await removeFile(await this.#path());
      this.#replaced = undefined;
    });
  }

  async #explain(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (problem) {
      throw stateIoError(problem, "write", this.description, "journal");
    }
  }

  async #create(): Promise<OpenFile> {
    const file = await this.#path();
    if (this.#replaced !== undefined)
      return { handle: await openFile(file, { links: "refuse" }, constants.O_RDWR), size: this.#replaced };
    const handle = await open(file, "wx", 0o600);
    try {
      // Without this sync, the file itself can be lost after a power failure.
      await syncFolder(path.dirname(file));
      return { handle, size: 0 };
    } catch (problem) {
      await handle.close();
      await removeFile(file).catch(() => undefined);
      throw problem;
    }
  }

  async #path(): Promise<string> {
    return journalOf(await resolveLinks(this.state));
  }
}

/** Throws if a line of a journal is damaged. */
function readLines(content: Buffer): void {
  const lines = content.toString("utf8").split("\n");
  const damaged = lines.findIndex((line, at) => parseLine(line) === undefined && at < lines.length - 1);
  if (damaged >= 0) throw new Error(`line ${damaged + 1} is damaged`);
}

export const journalOf = (state: string): string => `${state}.journal`;

/**
 * Appends bytes and waits until they are on disk. After a failure, removes the partially written bytes. The write is
 * synchronous, because the lines have a few kilobytes and a thread of Node would take longer. The sync to the disk is
 * asynchronous.
 */
async function write(file: OpenFile, bytes: Buffer): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; )
      done += writeSync(file.handle.fd, bytes, done, bytes.length - done, file.size + done);
    await syncContent(file.handle);
    file.size += bytes.length;
  } catch (problem) {
    // The next write starts at the same position. If the file can't be truncated now, that write overwrites the partial line.
    await file.handle.truncate(file.size).catch(() => undefined);
    throw problem;
  }
}
