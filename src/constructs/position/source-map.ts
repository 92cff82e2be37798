import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A line of a source file. */
export interface Position {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** A position in the code that runs. */
interface RunningPosition extends Position {
  /** Counted from 1. */
  readonly column: number;
}

/**
 * The position in the original source: as the line of a stack trace has it, if the app's loader maps stack traces, or by the source
 * map that the file names. Without a map it is the position in the code that runs.
 */
export const originalPosition = (running: RunningPosition, traceLine: string): Position =>
  mappedInTrace(running, traceLine) ?? byMap(running) ?? running;

function mappedInTrace(running: RunningPosition, traceLine: string): Position | undefined {
  const [, place = "", line] = /^(.*):(\d+):\d+\)?$/.exec(traceLine) ?? [];
  // A path may contain brackets: it is certain only where it is that of the code that runs.
  const name = place.endsWith(running.file) ? running.file : place.replace(/^\s*at (?:.* \()?/, "");
  const file = fromUrl(name);
  const isMapped = file !== running.file || Number(line) !== running.line;
  return isMapped && path.isAbsolute(file) ? { file, line: Number(line) } : undefined;
}

function byMap({ file, line, column }: RunningPosition): Position | undefined {
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !("originalSource" in entry) || typeof entry.originalSource !== "string")
    return undefined;
  return {
    file: path.resolve(path.dirname(file), fromUrl(entry.originalSource)),
    line: Number(entry.originalLine) + 1,
  };
}

/** By file. */
const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** The source map that a file contains or names in its last line. */
function readMap(file: string): SourceMap | undefined {
  try {
    const [, url] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8")) ?? [];
    if (url === undefined) return undefined;
    const [, data] = /^data:application\/json;(?:charset=[\w-]+;)?base64,(.*)$/.exec(url) ?? [];
    const text =
      data === undefined
        ? readFileSync(path.resolve(path.dirname(file), decodeURI(url)), "utf8")
        : Buffer.from(data, "base64").toString("utf8");
    return new SourceMap(JSON.parse(text));
  } catch {
    // A missing or damaged map is no problem of the app: the position in the code that runs remains.
    return undefined;
  }
}

const fromUrl = (name: string): string => (name.startsWith("file:") ? fileURLToPath(name) : name);
