import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The path of the command, as `npm ci` builds it. */
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

/** The output of a command, and its exit code. */
export interface Outcome {
  readonly shown: string;
  readonly output: string;
  readonly code: number;
}

/** The folder with the complete output of each command. */
const OUTPUTS = path.join(".steward", "quickstart", "outputs");

let commands = 0;

/**
 * Runs a command. Prints the command line as a user would type it, and then the output from the first line that begins
 * with `from`. The complete output is written to a file.
 */
export async function steward(words: readonly string[], from?: string): Promise<Outcome> {
  const shown = `steward ${words.join(" ")}`;
  print(`$ ${shown}\n`);
  const child = spawn(process.execPath, [stewardProgram, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let all = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    all += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (ended) => resolve(ended ?? 1));
  });
  commands++;
  mkdirSync(OUTPUTS, { recursive: true });
  writeFileSync(path.join(OUTPUTS, `${commands}-${words[0]}.txt`), all);
  const lines = output.replace(/^\n+|\s+$/g, "").split("\n");
  const start = from === undefined ? 0 : lines.findIndex((line) => line.startsWith(from));
  if (start < 0) throw new Error(`\`${shown}\` printed no line that begins with "${from}":\n${all}`);
  print(`${lines.slice(start).join("\n")}\n`);
  return { shown, output, code };
}

/** Returns the output of a command. Fails if the exit code is not the expected one. */
export async function expectCode(code: number, running: Promise<Outcome>): Promise<string> {
  const outcome = await running;
  if (outcome.code !== code)
    throw new Error(`\`${outcome.shown}\` exited with ${outcome.code} instead of ${code}.`);
  return outcome.output;
}

export function sayNext(folder: string): void {
  heading("Where to look next");
  say(
    `- The complete output of each command is in ${OUTPUTS}.`,
    "- examples/quickstart/main.ts is the app. Change it, and plan again:",
    `    npx steward serve --data ${path.join(folder, "service.sqlite")} --port 8080 &`,
    "    export STEWARD_BASE_URL=http://127.0.0.1:8080 STEWARD_TOKEN=quickstart-maintainer-token",
    "    npx steward plan --access",
    "- docs/getting-started.md leads to a drift report on your own project.",
    "- `npx steward --help` lists all commands.",
  );
}
