import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Environment, Place, Setting } from "./setting";
import type { Result } from "./table";

/** Matches variables that npm, CI systems or this repository's own commands add. */
const ADDED = /^(npm_|INIT_CWD$|CI$|GITHUB_|GITLAB_|STEWARD_|JEST_|NODE_OPTIONS$|NODE$)/;

/** Returns the environment of the shell in which `npm run test:anywhere` was called. */
export function ownEnvironment(env: Environment): Environment {
  const kept = Object.entries(env).filter(([name]) => !ADDED.test(name));
  // npm adds its folders to the PATH.
  const folders = (env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => !folder.includes("node_modules") && !folder.endsWith("node-gyp-bin"));
  return { ...Object.fromEntries(kept), PATH: folders.join(path.delimiter) };
}

const git = (...words: readonly string[]): void => void execFileSync("git", words, { stdio: "ignore" });

function checkOut({ repository, commit }: Place, folder: string, source: Setting["source"] = "clone"): void {
  if (source === "shallow clone") {
    mkdirSync(folder);
    git("-C", folder, "init", "--quiet");
    git("-C", folder, "fetch", "--quiet", "--depth", "1", `file://${repository}`, commit);
    git("-C", folder, "checkout", "--quiet", "--detach", "FETCH_HEAD");
    return;
  }
  if (source === "copy without .git") {
    mkdirSync(folder);
    git("-C", repository, `--work-tree=${folder}`, "read-tree", `--index-output=${folder}.index`, commit);
    execFileSync("git", ["-C", repository, `--work-tree=${folder}`, "checkout-index", "--all", "--quiet"], {
      env: { ...process.env, GIT_INDEX_FILE: `${folder}.index` },
    });
    return;
  }
  git("clone", "--quiet", "--no-checkout", `file://${repository}`, folder);
  git("-C", folder, "checkout", "--quiet", "--detach", commit);
}

/** Runs the README's two commands in a setting. The output of these commands goes to `log`. */
export async function runSetting(setting: Setting, place: Place, log: string): Promise<Result> {
  const checkout = path.join(place.folder, setting.checkout ?? "checkout");
  checkOut(place, checkout, setting.source);
  const summary = path.join(checkout, "dist", "test-summary.json");
  const { env, prefix = [], close } = setting.prepare(place, checkout);
  const began = performance.now();
  const output = openSync(log, "a");
  const run = (...words: readonly string[]): Promise<number> => {
    const [program, ...rest] = [...prefix, ...words];
    const child = spawn(program!, rest, {
      cwd: checkout,
      env: { ...env, STEWARD_TEST_SUMMARY: summary } as NodeJS.ProcessEnv,
      stdio: ["ignore", output, output],
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? 1));
    });
  };
  try {
    const install = await run("npm", "ci");
    const tests = install === 0 ? await run("npm", "test") : undefined;
    return {
      install,
      tests,
      ...countsOf(summary),
      seconds: (performance.now() - began) / 1000,
      commit: place.commit,
      day: new Date().toISOString().slice(0, 10),
    };
  } finally {
    close?.();
    closeSync(output);
  }
}

type Counts = Pick<Result, "passed" | "failed" | "skipped">;

/** Reads the counts that the test run wrote. Returns zeros if the test run did not finish. */
function countsOf(summary: string): Counts {
  if (!existsSync(summary)) return { passed: 0, failed: 0, skipped: {} };
  const { passed, failed, needs }: { passed: number; failed: number; needs: Record<string, number> } =
    JSON.parse(readFileSync(summary, "utf8"));
  return { passed, failed, skipped: needs };
}
