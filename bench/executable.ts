// Measures the start of the single executable. Compares it with the start of the Node in the executable, and with the
// start of the package's command under this Node. The programs run in turns, so that noise affects all of them equally.
// The bench builds the executable first.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildExecutable, prepareExecutables } from "../scripts/release/executable";
import { nodeProgram } from "../scripts/release/node-release";
import { ownPlatform } from "../src/plugin";
import { median, print } from "./figures";

const RUNS = 21;
const MAIN = path.join("dist", "cli", "main.js");

/** Measures the seconds from the start of a program to its exit. */
function seconds(program: string, args: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} exited ${status}: ${stderr}`);
  return (performance.now() - began) / 1000;
}

function measure(node: string, executable: string): void {
  const commands = {
    node: [node, "-e", "0"],
    "package --version": [node, MAIN, "--version"],
    "executable --version": [executable, "--version"],
    "package version": [node, MAIN, "version"],
    "executable version": [executable, "version"],
  } as const;
  const taken = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  // The first round only fills the caches of the file system, and does not count.
  for (let round = 0; round <= RUNS; round += 1) {
    for (const [name, [program, ...args]] of Object.entries(commands)) {
      const value = seconds(program, args);
      if (round > 0) taken.get(name)!.push(value);
    }
  }
  const of = (name: keyof typeof commands) => median(taken.get(name)!);
  print({ name: "node, doing nothing", value: of("node"), unit: "s" });
  print({ name: "executable, --version", value: of("executable --version"), unit: "s" });
  const ratio = (name: string, value: number) => print({ name, value, unit: "times", atMost: 1.3 });
  ratio("executable, --version: times node, doing nothing", of("executable --version") / of("node"));
  ratio(
    "executable, --version: times the package's command",
    of("executable --version") / of("package --version"),
  );
  ratio("executable, version: times the package's command", of("executable version") / of("package version"));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  try {
    const executable = path.join(folder, "steward");
    await prepareExecutables();
    buildExecutable(ownPlatform(), executable);
    measure(nodeProgram(ownPlatform()), executable);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
