import { spawnSync } from "node:child_process";

/** Creates a named pipe. Tests that call this function belong in `describeWith("mkfifo", …)`. */
export function makePipe(file: string): void {
  expect(spawnSync("sh", ["-c", 'mkfifo "$0"', file]).status).toBe(0);
}
