import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A generator of files of one kind. */
export interface Generator {
  /**
   * The path of the file, or of a folder that has only generated files. The path is relative to the root of the
   * project.
   */
  readonly place: string;
  /** Returns the texts of the files, by paths relative to the root with `/` as separator. */
  generate(): Promise<ReadonlyMap<string, string>>;
}

/** A file that differs from its generated text, is missing, or should not exist. */
export interface Difference {
  readonly path: string;
  readonly kind: "missing" | "changed" | "surplus";
}

/** Returns the files to write or to remove, sorted by path. */
export async function differences(
  root: string,
  generators: readonly Generator[],
): Promise<readonly Difference[]> {
  return (await compare(root, generators)).map(({ path, kind }) => ({ path, kind }));
}

/**
 * Writes missing and changed files, and removes files that are no longer generated. Returns the names of the written
 * and removed files.
 */
export async function update(root: string, generators: readonly Generator[]): Promise<readonly Difference[]> {
  const found = await compare(root, generators);
  for (const { path: file, text } of found) {
    const target = path.join(root, file);
    if (text === undefined) {
      rmSync(target);
    } else {
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
  return found.map(({ path, kind }) => ({ path, kind }));
}

/** A difference with the expected text. The text is undefined if the file should not exist. */
type Fix = Difference & { readonly text: string | undefined };

async function compare(root: string, generators: readonly Generator[]): Promise<Fix[]> {
  const found: Fix[] = [];
  for (const { place, generate } of generators) {
    const texts = await generate();
    for (const [file, text] of texts) {
      if (file !== place && !file.startsWith(`${place}/`)) {
        throw new Error(`${file} is generated outside of ${place}, where nobody would remove it again.`);
      }
      const target = path.join(root, file);
      if (!existsSync(target)) found.push({ path: file, kind: "missing", text });
      else if (readFileSync(target, "utf8") !== text) found.push({ path: file, kind: "changed", text });
    }
    const surplus = filesIn(root, place).filter((file) => !texts.has(file));
    found.push(...surplus.map((file): Fix => ({ path: file, kind: "surplus", text: undefined })));
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filesIn(root: string, place: string): string[] {
  const target = path.join(root, place);
  if (!existsSync(target)) return [];
  if (statSync(target).isFile()) return [place];
  return readdirSync(target).flatMap((name) => filesIn(root, `${place}/${name}`));
}
