import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

const PROGRAM = path.join(__dirname, "..", "..", "..", "dist", "cli", "main.js");

/**
 * All running processes. A failed test must not leave a process behind, because the process would keep the test run
 * alive.
 */
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ProcessOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The maximum size of files that the process may write, in blocks of 512 bytes. */
  readonly largestFile?: number;
}

/** A running `steward` process. */
export class Steward {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly #text = { out: "", err: "" };
  #waiting: (() => void)[] = [];

  constructor(args: readonly string[], { folder, env = {}, largestFile }: ProcessOptions) {
    // The process inherits only PATH and HOME, so that settings of the developer do not change the test.
    const { PATH = "", HOME = "" } = process.env;
    const limit = largestFile === undefined ? [] : ["sh", "-c", `ulimit -f ${largestFile}; exec "$@"`, "sh"];
    const [program, ...programArgs] = [...limit, process.execPath, PROGRAM, ...args];
    this.child = spawn(program!, programArgs, {
      cwd: folder,
      env: { PATH, HOME, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(this.child);
    this.child.once("exit", () => running.delete(this.child));
    for (const [name, stream] of [
      ["out", this.child.stdout!],
      ["err", this.child.stderr!],
    ] as const) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        this.#text[name] += chunk;
        for (const check of this.#waiting) check();
      });
    }
    this.ended = new Promise((resolve) => this.child.on("close", (code) => resolve({ code, ...this.#text })));
  }

  /**
   * Resolves once the process has written a text. Rejects with the whole output if the process ends without the text.
   */
  async wrote(name: "out" | "err", text: string): Promise<string> {
    const seen = new Promise<string>((resolve) => {
      const check = () => {
        if (this.#text[name].includes(text)) resolve(this.#text[name]);
      };
      this.#waiting.push(check);
      check();
    });
    const ended = this.ended.then(({ out, err }) => {
      if (!this.#text[name].includes(text)) throw new Error(`"${text}" was never written:\n${out}${err}`);
      return this.#text[name];
    });
    return Promise.race([seen, ended]);
  }
}

/** Runs a command to completion. */
export const steward = (args: readonly string[], options: ProcessOptions): Promise<Ended> =>
  new Steward(args, options).ended;
