import { spawnSync } from "node:child_process";

/** Makes a pipe with a name. A test that needs one is in `describeWith("mkfifo", …)`. */
export function makePipe(file: string): void {
  expect(spawnSync("sh", ["-c", 'mkfifo "$0"', file]).status).toBe(0);
}
