import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A folder for PATH in which the program stands behind a script that notes how it was called. */
export class Overheard {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-overheard-"));
  readonly #notes = path.join(this.folder, "notes");

  constructor(program: string) {
    const name = path.basename(program);
    const script = `#!/bin/sh\n{ echo "called: $*"; env | sed 's/^/env: /'; } >> '${this.#notes}'\nexec '${program}' "$@"\n`;
    writeFileSync(path.join(this.folder, name), script, { mode: 0o755 });
    writeFileSync(this.#notes, "");
    // What the script and steward themselves need.
    for (const tool of ["sh", "env", "sed"])
      symlinkSync(path.join("/usr/bin", tool), path.join(this.folder, tool));
  }

  /** The words of each call, without `init`. */
  calls = (): string[] => this.#lines("called: ").filter((line) => !line.startsWith("init "));

  inits = (): string[] => this.#lines("called: ").filter((line) => line.startsWith("init "));

  environment = (): string => this.#lines("env: ").join("\n");

  forget = (): void => writeFileSync(this.#notes, "");

  #lines = (prefix: string): string[] =>
    readFileSync(this.#notes, "utf8")
      .split("\n")
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(prefix.length));

  remove = (): void => rmSync(this.folder, { recursive: true });
}
