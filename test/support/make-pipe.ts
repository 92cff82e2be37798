import { spawnSync } from "node:child_process";

/** Makes a pipe with a name (a FIFO), for which Node has no function. */
export function makePipe(file: string): void {
  expect(spawnSync("sh", ["-c", 'mkfifo "$0"', file]).status).toBe(0);
}
