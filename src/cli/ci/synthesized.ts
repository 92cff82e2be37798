import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { parseHandwrittenJson } from "../../json";
import { UnusablePlan } from "./request-job";

const MANIFEST = "manifest.json";

/** The path of a stack's folder in a manifest, relative to the output folder. */
const FOLDER = /^stacks\/(?!\.{1,2}$)[^/\\\0]+$/;

const manifest = z.object({
  stacks: z.record(z.string(), z.object({ workingDirectory: z.string().check(z.regex(FOLDER)) })),
});

/** The maximum number of bytes of all configurations of an app. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Copies a synthesized app from the artifacts of a merge request. The author of the request controls these files. Steward
 * therefore refuses names that lead out of the target folder.
 *
 * @param folder the path of the output folder in the artifacts, such as `cdktf.out`
 * @param target a folder that does not exist yet
 * @throws UnusablePlan, ApiError
 */
export async function copySynthesized(
  read: (name: string) => Promise<Buffer>,
  folder: string,
  target: string,
): Promise<void> {
  const bytes = await read(path.posix.join(folder, MANIFEST));
  const folders = foldersIn(bytes, folder);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, MANIFEST), bytes, { flag: "wx" });
  let size = bytes.byteLength;
  for (const name of folders) {
    const file = path.posix.join(name, "cdk.tf.json");
    const content = await read(path.posix.join(folder, file));
    size += content.byteLength;
    if (size > MAX_BYTES) throw new UnusablePlan(`${folder} has more than ${MAX_BYTES} bytes`);
    mkdirSync(path.join(target, name), { recursive: true });
    writeFileSync(path.join(target, file), content, { flag: "wx" });
  }
}

function foldersIn(bytes: Buffer, folder: string): string[] {
  try {
    const { stacks } = manifest.parse(parseHandwrittenJson(bytes.toString("utf8")));
    return [...new Set(Object.values(stacks).map(({ workingDirectory }) => workingDirectory))];
  } catch {
    throw new UnusablePlan(`${folder}/${MANIFEST} is not the manifest of a synthesized app`);
  }
}
