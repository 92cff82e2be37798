// `npm run bench` runs all benchmarks, and `npm run bench -- NAME…` runs some of them. With `--all`, each also measures
// its larger cases. All arguments from the first flag on go to the benchmark: `npm run bench -- plan --help` lists the
// flags of `plan`.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { machine } from "./figures";

const NOT_BENCHMARKS = new Set(["main.ts", "figures.ts", "profile.ts"]);
const all = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !NOT_BENCHMARKS.has(entry.name))
  .map(({ name }) => path.basename(name, ".ts"));
/**
 * Reads the names of benchmarks and their flags.
 * @throws Error if a name does not exist, or if a benchmark does not take a flag
 */
function read(words: readonly string[]): { names: readonly string[]; flags: readonly string[] } {
  const first = words.findIndex((word) => word.startsWith("-"));
  const [names, flags] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no benchmark ${unknown}, only ${all.join(", ")}.`);
  const strange = flags.find((flag) => flag !== "--all");
  if (strange !== undefined && names.join() !== "plan")
    throw new Error(
      `${strange}: the benchmarks take --all; plan takes more, where it is the only one named.`,
    );
  return { names: names.length > 0 ? names : all, flags };
}

function run({ names, flags }: ReturnType<typeof read>): void {
  process.stdout.write(`${machine}\n`);
  for (const name of names) {
    process.stdout.write(`\n${name} (load ${loadavg()[0]!.toFixed(1)})\n`);
    const { status } = spawnSync(
      process.execPath,
      ["--import", "tsx", path.join(__dirname, `${name}.ts`), ...flags],
      { stdio: "inherit" },
    );
    if (status !== 0) process.exitCode = 1;
  }
}

try {
  run(read(process.argv.slice(2)));
} catch (problem) {
  process.stderr.write(`${(problem as Error).message}\n`);
  process.exitCode = 1;
}
