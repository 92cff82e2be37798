// `npm run bench` runs every benchmark, `npm run bench -- NAME…` some of them, `--all` the long selection of each.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import path from "node:path";

const NOT_BENCHMARKS = new Set(["main.ts", "figures.ts", "profile.ts"]);
const all = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !NOT_BENCHMARKS.has(entry.name))
  .map(({ name }) => path.basename(name, ".ts"));
const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith("-"));
const named = words.filter((word) => !word.startsWith("-"));

const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}`;
process.stdout.write(`Node ${process.versions.node}, ${machine}\n`);
for (const name of named.length > 0 ? named : all) {
  process.stdout.write(`\n${name} (load ${loadavg()[0]!.toFixed(1)})\n`);
  const { status } = spawnSync(
    process.execPath,
    ["--import", "tsx", path.join(__dirname, `${name}.ts`), ...flags],
    { stdio: "inherit" },
  );
  if (status !== 0) process.exitCode = 1;
}
