import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { readFileNow } from "../../files";
import { quotedLines } from "../../text";

/** Runs the program with these words, and answers with how it ended and what it wrote. */
export type RunQuietly = (
  words: readonly string[],
) => Promise<{ readonly code: number; readonly said: string }>;

const NOTE = "steward-initialized";

/**
 * Has the program initialize a stack's folder, unless it did so for the very same configuration. With the provider served
 * from here, that asks a registry only for other providers and modules of the app.
 */
export async function initialize(
  folder: string,
  program: string,
  dataFolder: string,
  run: RunQuietly,
): Promise<void> {
  const fingerprint = fingerprintOf(folder, program);
  const note = path.join(folder, dataFolder, NOTE);
  if (contentOf(note) === fingerprint) return;
  const { code, said } = await run(["init", "-input=false", "-no-color"]);
  if (code !== 0) {
    fail({
      code: "engine_init_failed",
      summary: `${path.basename(program)} can't initialize the stack`,
      detail: [
        `\`${path.basename(program)} init\` failed in ${folder}. Nothing was planned. It said:`,
        ...quotedLines(said.trim()),
      ],
    });
  }
  mkdirSync(path.dirname(note), { recursive: true });
  writeFileSync(note, fingerprint);
}

function fingerprintOf(folder: string, program: string): string {
  const hash = createHash("sha256").update(program);
  const names = readdirSync(folder).filter((name) => /\.(tf|tofu)(\.json)?$/.test(name));
  for (const name of names.sort()) hash.update(`\0${name}\0`).update(readFileNow(path.join(folder, name)));
  return hash.digest("hex");
}

function contentOf(file: string): string | undefined {
  try {
    return readFileNow(file).toString("utf8");
  } catch {
    return undefined;
  }
}
