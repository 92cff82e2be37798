import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { cpuOfChildren, watchMemory } from "./processes";

/** The cost of one run of a program. */
export interface Measured {
  readonly seconds: number;
  /** The peak memory of the program and of the programs that it started. */
  readonly megabytes?: number;
  /** The seconds of the processor. */
  readonly cpu?: number;
  readonly output: string;
}

export interface RunOptions {
  /** The allowed exit codes. By default, this is only 0. */
  readonly codes?: readonly number[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export const PEAK = path.join(__dirname, "peak.js");

/**
 * Runs a program to its end, and measures its memory from outside.
 * @throws Error if its exit code is not allowed
 */
export async function measure(
  program: string,
  words: readonly string[],
  options: RunOptions = {},
): Promise<Measured> {
  const worked = cpuOfChildren();
  let unwatch: () => number | undefined = () => undefined;
  const ended = await runToEnd(program, words, options, ["ignore", "pipe", "pipe"], ({ pid }) => {
    unwatch = watchMemory(pid);
  }).finally(() => unwatch());
  const [megabytes, cpu] = [unwatch(), cpuOfChildren()];
  return {
    seconds: ended.seconds,
    output: ended.output,
    ...(megabytes !== undefined && { megabytes }),
    ...(worked !== undefined && cpu !== undefined && { cpu: cpu - worked }),
  };
}

/** Runs the built command, and measures it from the start of the process to its exit. */
export const steward = (
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  codes: readonly number[] = [0],
): Promise<Measured> => measureNode([path.join("dist", "cli", "main.js"), ...words], env, codes);

/**
 * Runs a program on Node, and measures it from the start of the process to its exit. The process itself reports its
 * memory and processor time.
 */
export async function measureNode(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  codes: readonly number[] = [0],
): Promise<Measured> {
  const told: Buffer[] = [];
  const { seconds, output } = await runToEnd(
    process.execPath,
    ["--require", PEAK, ...words],
    { env, codes },
    ["ignore", "pipe", "pipe", "pipe"],
    ({ stdio }) => stdio[3]!.on("data", (chunk: Buffer) => told.push(chunk)),
  );
  const { kibibytes, microseconds } = JSON.parse(Buffer.concat(told).toString()) as {
    kibibytes: number;
    microseconds: number;
  };
  return { seconds, megabytes: kibibytes / 1024, cpu: microseconds / 1e6, output };
}

async function runToEnd(
  program: string,
  words: readonly string[],
  { codes = [0], ...options }: RunOptions,
  stdio: ("ignore" | "pipe")[],
  onStart: (child: ChildProcess & { readonly pid: number }) => void,
): Promise<Measured> {
  const began = performance.now();
  const child = spawn(program, words, { ...options, stdio });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream!.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
    if (hasStarted(child)) onStart(child);
  });
  const seconds = (performance.now() - began) / 1000;
  const output = Buffer.concat(chunks).toString();
  if (!codes.includes(code ?? -1))
    throw new Error(`${program} ${words.join(" ")} ended with ${code}:\n${output.slice(-4000)}`);
  return { seconds, output };
}

const hasStarted = (child: ChildProcess): child is ChildProcess & { readonly pid: number } =>
  child.pid !== undefined;
