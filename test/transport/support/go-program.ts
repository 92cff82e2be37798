import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** The timeout for compiling, in milliseconds. On a new machine, Go first downloads modules. */
export const BUILD = 600_000;

/** A compiled program in Go, from the folder `test/transport/go`. Go keeps downloads and compiled code in its cache. */
export class GoProgram {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "steward-go-"));
  readonly #file = path.join(this.#folder, "program");
  readonly #running = new Set<ChildProcessWithoutNullStreams>();

  /**
   * @param go the compiler
   * @throws Error if the program can't be compiled, or if its modules can't be downloaded
   */
  constructor(go: string, name: string) {
    execFileSync(go, ["build", "-buildvcs=false", "-o", this.#file, "."], {
      cwd: path.join(__dirname, "..", "go", name),
      stdio: ["ignore", "inherit", "inherit"],
      timeout: BUILD,
    });
  }

  start(...words: readonly string[]): ChildProcessWithoutNullStreams {
    const child = spawn(this.#file, words);
    this.#running.add(child);
    child.on("exit", () => this.#running.delete(child));
    return child;
  }

  /**
   * Runs the program. Returns the output of the program, which is one JSON value per line. @throws Error if the program
   * fails
   */
  async run<Line>(...words: readonly string[]): Promise<Line[]> {
    return linesOf<Line>(this.start(...words));
  }

  remove(): void {
    for (const child of this.#running) child.kill();
    rmSync(this.#folder, { recursive: true });
  }
}

/**
 * Waits for the end of a program. Returns the output of the program, which is one JSON value per line. @throws Error if
 * the program fails
 */
export async function linesOf<Line>(child: ChildProcessWithoutNullStreams): Promise<Line[]> {
  let problem = "";
  child.stderr.on("data", (piece: Buffer) => {
    problem += piece.toString();
  });
  const exit = once(child, "exit");
  const lines: Line[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line) as Line);
  const [code] = (await exit) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}: ${problem}`);
  return lines;
}
