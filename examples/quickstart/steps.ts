import { spawn } from "node:child_process";
import path from "node:path";

/** The command, as `npm ci` built it. */
export const stewardProgram = path.join("dist", "cli", "main.js");

const print = (text: string): boolean => process.stdout.write(text);
const bold = (text: string): string =>
  process.stdout.isTTY && !process.env["NO_COLOR"] ? `\u001b[1m${text}\u001b[0m` : text;

let step = 0;

export function heading(text: string): void {
  step++;
  print(`\n${bold(`── ${step}. ${text} `.padEnd(78, "─"))}\n\n`);
}

export const say = (...lines: readonly string[]): void => {
  print(`${lines.join("\n")}\n`);
};

/** What a command printed and how it ended. */
export interface Outcome {
  readonly shown: string;
  readonly output: string;
  readonly code: number;
}

/** Runs the command, shows it as a user would type it, and passes on what it prints. */
export function steward(...words: readonly string[]): Promise<Outcome> {
  const shown = `steward ${words.join(" ")}`;
  print(`\n$ ${shown}\n`);
  const child = spawn(process.execPath, [stewardProgram, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    print(text);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ shown, output, code: code ?? 1 }));
  });
}

/** Fails unless the command ended with the code that its step promises; gives what it printed. */
export async function expectCode(code: number, running: Promise<Outcome>): Promise<string> {
  const outcome = await running;
  if (outcome.code !== code)
    throw new Error(`\`${outcome.shown}\` exited ${outcome.code} where ${code} was due.`);
  return outcome.output;
}

export function sayNext(folder: string): void {
  heading("What to try next");
  say(
    "1. Start the service again, in a terminal of its own:",
    `     npx steward serve --data ${path.join(folder, "service.sqlite")} --port 8080`,
    "2. In another one:",
    "     export STEWARD_BASE_URL=http://127.0.0.1:8080 STEWARD_TOKEN=quickstart-maintainer-token",
    "     npx steward apply",
    "3. Change examples/quickstart/main.ts, and look at `npx steward plan`.",
    "4. `npx steward --help` tells of the other commands, docs/ of everything else.",
  );
}
