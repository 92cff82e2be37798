import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { problemsOf } from "./words/commit-message";

/** A file with the last commit to which the rule does not apply. Only later commits are checked. */
const SINCE = path.join(__dirname, "words/commits-since.txt");

/**
 * Checks the messages of the commits after the commit in `SINCE`. In a copy of the repository without that commit,
 * there is nothing to check.
 */
function main(): number {
  const since = readFileSync(SINCE, "utf8").trim();
  let log: string;
  try {
    log = execFileSync("git", ["log", "--no-merges", "--format=%h%x00%B%x01", `${since}..HEAD`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    process.stdout.write(
      `Not checked: git does not know commit ${since} here (a copy or a shallow clone).\n`,
    );
    return 0;
  }
  const commits = log.split("\u0001").filter((entry) => entry.includes("\0"));
  let failed = 0;
  for (const commit of commits) {
    const [hash = "", message = ""] = commit.trimStart().split("\0");
    const problems = problemsOf(message);
    if (problems.length === 0) continue;
    failed += 1;
    process.stderr.write(
      `${hash} ${message.split("\n", 1)[0]}\n${problems.map((one) => `  ${one}\n`).join("")}`,
    );
  }
  if (failed === 0) process.stdout.write(`The messages of ${commits.length} commits are fine.\n`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = main();
