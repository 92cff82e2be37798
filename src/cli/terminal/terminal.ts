import path from "node:path";
import { createInterface } from "node:readline/promises";
import type { Writable } from "node:stream";
import { type ErrorCode, fail } from "../../diagnostics";
import { decodeText, describeFileProblem, FileProblem, LARGE_FILE, readUserFile } from "../../files";
import { colouredLine, oneLine, type SensitiveTexts } from "../../text";
import { secretsOf } from "./redact";

/**
 * Standard output or standard error. A channel makes each line safe before it prints the line, so that the callers need not do
 * this. A text in a line can't start a new line, control a terminal or send commands to a CI system.
 */
export class Channel {
  constructor(
    private readonly write: (text: string) => void,
    readonly isTerminal = false,
    private readonly width: () => number | undefined = () => undefined,
  ) {}

  /** The width of the terminal in columns; undefined if the stream is not a terminal. */
  get columns(): number | undefined {
    return this.width();
  }

  line(text: string): void {
    this.lines([text]);
  }

  lines(lines: readonly string[]): void {
    if (lines.length > 0) this.write(`${lines.map(this.isTerminal ? colouredLine : oneLine).join("\n")}\n`);
  }

  /** Writes a text unchanged and without a line end, for raw values that the command line asks for. */
  exact(text: string): void {
    this.write(text);
  }
}

/** Joins blocks of lines, with an empty line between two blocks. Leaves out empty blocks. */
export const paragraphs = (blocks: readonly (readonly string[])[]): string[] =>
  blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? [...block] : ["", ...block]));

/** The minimum time between two writes of the buffered text, in milliseconds. */
const WRITE_INTERVAL = 40;
/** If at least this number of characters is buffered, Steward writes the buffer immediately, before the interval ends. */
const LARGE_WRITE = 1_000_000;

/**
 * Collects the texts that are written to several streams, and sends them in one batch at the end of a turn of the event loop.
 * The texts of the next 40 milliseconds form the next batch. Without batches, each of thousands of texts would wake the process
 * that reads the output, and the output would take longer than the changes. Keeps the order of the texts, also between streams.
 */
export class BatchedWrites {
  /** The stream to which the buffered text will be written. */
  #open: Writable | undefined;
  #text = "";
  #isScheduled = false;

  write(stream: Writable, text: string): void {
    if (this.#open !== stream || this.#text.length > LARGE_WRITE) this.flush();
    this.#open = stream;
    this.#text += text;
    if (!this.#isScheduled) setImmediate(() => this.#flushAtTimes());
    this.#isScheduled = true;
  }

  /** Writes the buffered text. The process also calls this function before it ends. */
  flush(): void {
    const [stream, text] = [this.#open, this.#text];
    this.#open = undefined;
    this.#text = "";
    if (text !== "") stream!.write(text);
  }

  #flushAtTimes(): void {
    this.#isScheduled = this.#open !== undefined;
    if (!this.#isScheduled) return;
    this.flush();
    // The timer does not keep the process alive. If the process ends earlier, the exit handler writes the buffered text.
    setTimeout(() => this.#flushAtTimes(), WRITE_INTERVAL).unref();
  }
}

/** The signals that ask the process to stop. These signals come from Ctrl-C, from a supervisor, or from a closed terminal. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type Signal = (typeof SIGNALS)[number];

/** A function that calls `callback` at regular intervals, until the caller calls the returned function. */
export type Every = (milliseconds: number, callback: () => void) => () => void;

/**
 * The parts of the process that a command uses: environment variables, folder, input and output. Tests pass their own values
 * for these parts.
 */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder of the command. */
  readonly folder: string;
  /** The channel for the requested results: plans, reports, outputs, JSON. */
  readonly out: Channel;
  /** The channel for everything else: progress, diagnostics, logs. */
  readonly err: Channel;
  /** Whether a person can reply to questions. */
  readonly isInteractive: boolean;
  /** Asks a question and returns the reply. Returns undefined if the input ends or `signal` aborts. */
  ask(question: readonly string[], signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Reads standard input to its end.
   *
   * @throws FileProblem if standard input is a terminal, or larger than `maxBytes`
   */
  readInput(maxBytes: number): Promise<Buffer>;
  /** Calls a function for each signal that asks the process to stop, until the returned function is called. */
  onInterrupt(callback: (signal: Signal) => void): () => void;
  /** Calls a function at regular intervals, to show the progress of long operations. */
  readonly every: Every;
  /** Ends the process immediately, with this exit code. */
  abort(code: number): void;
  /** The files that the command writes, with their names from the command line. */
  readonly outputs?: NamedOutputs | undefined;
  readonly source?: NamedSource | undefined;
}

/**
 * The options of the command line that name the stacks and the state. Suggested commands repeat these options, so that
 * users can run the commands in the folder of this command.
 */
export interface NamedSource {
  readonly config?: string;
  readonly app?: string;
  readonly output?: string;
  readonly state?: string;
}

/** A file that the command line names, and the option that names it, such as `--report`. */
export interface NamedFile {
  readonly option: string;
  /** The name of the file on the command line. */
  readonly file: string;
}

export interface NamedOutputs {
  /** Whether the command may replace files that Steward did not write (`--force`). */
  readonly force: boolean;
  readonly files: readonly NamedFile[];
}

/** Returns the terminal of this process. This terminal removes the token of the environment from all output. */
export function processTerminal(): Terminal {
  const secrets = secretsOf(process.env);
  const writes = new BatchedWrites();
  // Both handlers write the buffered output before the process ends. After `beforeExit`, a stream can still report an error.
  // `exit` handles an end of the process without `beforeExit`.
  process.once("beforeExit", () => writes.flush());
  process.once("exit", () => writes.flush());
  return {
    env: process.env,
    folder: process.cwd(),
    out: channel(process.stdout, writes, secrets),
    err: channel(process.stderr, writes, secrets),
    isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    ask(question, signal) {
      writes.flush();
      return ask(question.map(oneLine).join("\n"), signal);
    },
    readInput,
    onInterrupt(callback) {
      for (const signal of SIGNALS) process.on(signal, callback);
      return () => {
        for (const signal of SIGNALS) process.off(signal, callback);
      };
    },
    every(milliseconds, callback) {
      const timer = setInterval(callback, milliseconds).unref();
      return () => clearInterval(timer);
    },
    abort(code) {
      process.exit(code);
    },
  };
}

function channel(stream: NodeJS.WriteStream, writes: BatchedWrites, secrets: SensitiveTexts): Channel {
  let isFullReported = false;
  // An error of a stream must not interrupt an apply. Such an error occurs, for example, if the reader has ended (`head`), the
  // terminal is closed, or the disk is full.
  stream.on("error", (problem: NodeJS.ErrnoException) => {
    const isFull = problem.code === "ENOSPC" || problem.code === "EDQUOT";
    if (isFull && !isFullReported && stream !== process.stderr)
      process.stderr.write("The output can't be written: the disk is full. The command continues.\n");
    isFullReported ||= isFull;
    if (!isFull && problem.code !== "EPIPE" && problem.code !== "EIO") throw problem;
  });
  const width = () => stream.columns || undefined;
  return new Channel((text) => writes.write(stream, secrets.redactText(text)), stream.isTTY === true, width);
}

async function readInput(maxBytes: number): Promise<Buffer> {
  if (process.stdin.isTTY) throw new FileProblem("not_a_file", "it is a terminal; use a pipe or a file");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new FileProblem("too_large", `it is larger than the limit of ${maxBytes >> 20} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function ask(question: string, signal = new AbortController().signal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Ends the question at Ctrl-C. Without this handler, Ctrl-C only pauses the input.
  lines.on("SIGINT", () => lines.close());
  try {
    return await Promise.race([
      lines.question(question, { signal }).catch(() => undefined),
      new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined))),
    ]);
  } finally {
    lines.close();
  }
}

/**
 * Reads a file that the command line names, or standard input for `-`. Returns the bytes of the file, and the name of the file
 * for messages.
 */
export async function readNamed(
  file: string,
  code: ErrorCode,
  terminal: Pick<Terminal, "folder" | "readInput">,
): Promise<{ readonly bytes: Buffer; readonly name: string }> {
  const name = file === "-" ? "The standard input" : file;
  try {
    const bytes =
      file === "-" ? await terminal.readInput(LARGE_FILE) : readUserFile(path.resolve(terminal.folder, file));
    return { bytes, name };
  } catch (problem) {
    return fail({
      code,
      summary: "File can't be read",
      detail: `${name} can't be read: ${describeFileProblem(problem)}. Correct the path, or pass - and pipe the content to stdin.`,
    });
  }
}

/**
 * Returns the text of a file that the command line names. If there is a problem, calls `refuse` with a text about the
 * problem, such as `can't be read (…)`.
 */
export function textOfNamed(
  file: string,
  folder: string,
  refuse: (file: string, what: string) => never,
): string {
  try {
    return decodeText(readUserFile(path.resolve(folder, file)));
  } catch (problem) {
    return refuse(file, `can't be read (${describeFileProblem(problem)})`);
  }
}
