import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A line of a source file. */
interface Position {
  /** The absolute path of the file. */
  readonly file: string;
  /** The number of the line, counted from 1. */
  readonly line: number;
}

/** A position in the code that Node runs. A loader or a compiler may have produced this code from the source. */
interface RunningPosition extends Position {
  /** The column, counted from 1. Minified code needs the column, because one line contains many positions. */
  readonly column: number;
}

/**
 * Returns the position in the original source. A loader that maps stack traces gives this position in the trace. Without such a
 * loader, the position comes from the source map of the file. Without a source map, returns the position in the running code.
 */
const originalPosition = (running: RunningPosition, traceLine: string): Position =>
  mappedInTrace(running, traceLine) ?? byMap(running) ?? running;

function mappedInTrace(running: RunningPosition, traceLine: string): Position | undefined {
  const [, place = "", line] = /^(.*):(\d+):\d+\)?$/.exec(traceLine) ?? [];
  // A path can itself contain brackets, so the start of the path is uncertain. If the text ends with the file of the running
  // code, this file is the path.
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

/** The source map of each file, by path; undefined for a file without a source map. */
const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** Returns the source map that the last line of a file contains or refers to; undefined if there is none. */
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
    // An app works without source maps. Positions then refer to the running code.
    return undefined;
  }
}

const fromUrl = (name: string): string => (name.startsWith("file:") ? fileURLToPath(name) : name);

/**
 * The number of stack frames in each attempt to find the app's code. Each frame takes time, and the first frames usually
 * contain the app's code. Only apps with many functions around a construct need more frames.
 */
const FRAMES = [1, 8, 50];

/** The folder of this package's constructs. Stack frames in files below this folder do not belong to the app. */
const OWN = path.dirname(__dirname) + path.sep;

/** The path of each app file, by its name in stack frames; undefined for code of packages and for code without a file. */
const appFiles = new Map<string, string | undefined>();

/**
 * The known positions in sources, by file and position in the running code. All constructs in a loop have one position, which
 * is then looked up only once.
 */
const known = new Map<string, Map<number, string>>();

type Constructor = abstract new (...args: never[]) => unknown;

/**
 * Returns the position in the original source where the app creates a construct, such as `main.ts:26`. This position is the
 * nearest caller of the constructor outside packages. The path is relative to the app's folder, so the position is equal on every
 * machine. Returns undefined if no stack frame belongs to the app.
 */
export function callerPosition(construct: Constructor): string | undefined {
  const { prepareStackTrace: hook, stackTraceLimit } = Error;
  try {
    Error.prepareStackTrace = firstOfApp;
    const found = captured(construct);
    if (found === undefined) return undefined;
    const { file, line, column } = found;
    const ofFile = known.get(file) ?? new Map<number, string>();
    known.set(file, ofFile);
    // The key combines line and column. No line has 2^26 columns, even in minified code.
    const key = line * 2 ** 26 + column;
    const position =
      ofFile.get(key) ?? textOf(originalPosition(found, lastLine(construct, found.depth, hook)));
    ofFile.set(key, position);
    return position;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = hook;
  }
}

/** A stack frame in the app's code. */
interface Frame extends RunningPosition {
  /** The number of frames from the newest frame to this frame, including both. */
  readonly depth: number;
}

function captured(construct: Constructor): Frame | undefined {
  const problem: { stack?: Frame } = {};
  for (const limit of FRAMES) {
    Error.stackTraceLimit = limit;
    Error.captureStackTrace(problem, construct);
    if (problem.stack !== undefined) return problem.stack;
  }
  return undefined;
}

function firstOfApp(_: Error, frames: NodeJS.CallSite[]): Frame | undefined {
  const index = frames.findIndex((frame) => appFile(frame) !== undefined);
  const frame = frames[index];
  return (
    frame && {
      file: appFile(frame)!,
      line: frame.getLineNumber() ?? 1,
      column: frame.getColumnNumber() ?? 1,
      depth: index + 1,
    }
  );
}

/**
 * Returns the line of the stack trace for the frame at a depth. The app's loader, such as tsx or ts-node, maps this line to the
 * source.
 */
function lastLine(construct: Constructor, depth: number, hook: typeof Error.prepareStackTrace): string {
  const problem: { stack?: unknown } = {};
  Error.prepareStackTrace = hook;
  Error.stackTraceLimit = depth;
  Error.captureStackTrace(problem, construct);
  return String(problem.stack).trimEnd().split("\n").at(-1)!;
}

/**
 * The number of frames that `appFilesOnStack` captures. A loop in an app calls functions of this package with fewer frames in
 * between.
 */
const DEEPEST = 30;

/** Returns the files of the app that contain the callers of a function, the nearest caller first. */
export function appFilesOnStack(callee: (...args: never[]) => unknown): readonly string[] {
  const { prepareStackTrace: hook, stackTraceLimit } = Error;
  try {
    Error.prepareStackTrace = (_, frames) => frames.map(appFile);
    Error.stackTraceLimit = DEEPEST;
    const problem: { stack?: readonly (string | undefined)[] } = {};
    Error.captureStackTrace(problem, callee);
    return [...new Set((problem.stack ?? []).filter((file) => file !== undefined))];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = hook;
  }
}

/** Returns a position as text, such as `main.ts:26`, with the path relative to the app's folder. */
export const textOf = ({ file, line }: Position): string =>
  `${path.relative(process.cwd(), file).split(path.sep).join("/")}:${line}`;

function appFile(frame: NodeJS.CallSite): string | undefined {
  const name = frame.getFileName();
  if (typeof name !== "string") return undefined;
  if (!appFiles.has(name)) appFiles.set(name, fileOutsidePackages(name));
  return appFiles.get(name);
}

function fileOutsidePackages(name: string): string | undefined {
  const file = name.startsWith("file:") ? fileURLToPath(name.replace(/[?#].*$/, "")) : name;
  const isOfPackage = file.startsWith(OWN) || file.split(path.sep).includes("node_modules");
  return path.isAbsolute(file) && !isOfPackage ? file : undefined;
}
