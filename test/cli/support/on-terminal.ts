import { spawn } from "node:child_process";
import path from "node:path";

const PROGRAM = path.join(__dirname, "..", "..", "..", "dist", "cli", "main.js");
const ON_TERMINAL = path.join(__dirname, "on-terminal.py");

/** Runs a command on a terminal. Returns the output and the exit code. An empty reply ends the input. */
export const onTerminal = (
  python: string,
  args: readonly string[],
  { folder, env, answer = "" }: { folder: string; env: Readonly<Record<string, string>>; answer?: string },
): Promise<{ readonly code: number | null; readonly shown: string }> =>
  new Promise((resolve) => {
    const child = spawn(python, [ON_TERMINAL, answer, process.execPath, PROGRAM, ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", ...env },
    });
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      shown += chunk;
    });
    child.on("close", (code) => resolve({ code, shown: shown.replaceAll("\r\n", "\n") }));
  });
