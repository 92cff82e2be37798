// `npm run bench` runs every benchmark, `npm run bench -- NAME…` some of them.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

const NOT_BENCHMARKS = new Set(["main.ts", "figures.ts"]);
const all = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !NOT_BENCHMARKS.has(entry.name))
  .map(({ name }) => path.basename(name, ".ts"));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;

for (const name of wanted) {
  process.stdout.write(`\n${name}\n`);
  const { status } = spawnSync(process.execPath, ["--import", "tsx", path.join(__dirname, `${name}.ts`)], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
