// Runs the parts of `npm run check` concurrently, and prints the output of each part when it ends. If a part fails, the
// others still run.
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const root = path.join(__dirname, "..");
const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** The npm scripts to run. The slowest ones start first. */
const PARTS = ["check:types", "words", "check:modules", "check:unused", "check:generated", "check:lint"];
const WIDTH = Math.max(2, os.availableParallelism() >> 1);

const bin = path.join(root, "node_modules", ".bin");
const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };

// Without a terminal, the linter's colours hide its messages: it colours each character of a changed line separately.
const command = (name) =>
  name === "check:lint" && !process.stdout.isTTY ? `${scripts[name]} --colors=off` : scripts[name];

/** Runs one npm script. Resolves to true if the script passed. */
function run(name) {
  const began = performance.now();
  const child = spawn(command(name), { cwd: root, env, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(`\n> ${name}: ${code === 0 ? "passed" : "FAILED"} (${seconds} s)\n${output}`);
      resolve(code === 0);
    });
  });
}

async function main() {
  const left = [...PARTS];
  let isPassed = true;
  const lane = async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift())
      if (!(await run(part))) isPassed = false;
  };
  await Promise.all(Array.from({ length: WIDTH }, lane));
  process.exitCode = isPassed ? 0 : 1;
}

main();
