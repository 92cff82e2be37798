import { spawn } from "node:child_process";
import path from "node:path";

/** What one run of a program took. */
export interface Measured {
  readonly seconds: number;
  /** The most memory that it took, and the time that the processor worked for it: of a program on Node alone. */
  readonly megabytes?: number;
  readonly cpu?: number;
  readonly output: string;
}

const PEAK = path.join(__dirname, "peak.js");

/** Runs a program to its end. @throws Error when it ends with a code that isn't expected */
export async function measure(
  program: string,
  words: readonly string[],
  { codes = [0], ...options }: { codes?: readonly number[]; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Measured> {
  const began = performance.now();
  const child = spawn(program, words, { ...options, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const [stdout, stderr, peak] = [child.stdout, child.stderr, child.stdio[3]].map((stream) => {
    const chunks: Buffer[] = [];
    stream!.on("data", (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  }) as [Buffer[], Buffer[], Buffer[]];
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const seconds = (performance.now() - began) / 1000;
  const output = Buffer.concat([...stdout, ...stderr]).toString();
  if (!codes.includes(code ?? -1))
    throw new Error(`${program} ${words.join(" ")} ended with ${code}:\n${output.slice(-4000)}`);
  const told = Buffer.concat(peak).toString();
  if (told === "") return { seconds, output };
  const { kibibytes, microseconds } = JSON.parse(told) as { kibibytes: number; microseconds: number };
  return { seconds, megabytes: kibibytes / 1024, cpu: microseconds / 1e6, output };
}

/** Runs the command as it is installed, from process start to exit. */
export const steward = (
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  codes?: readonly number[],
): Promise<Measured> =>
  measure(process.execPath, ["--require", PEAK, path.join("dist", "cli", "main.js"), ...words], {
    env,
    ...(codes && { codes }),
  });
