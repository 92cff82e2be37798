import { execFileSync, spawn } from "node:child_process";
import { on, once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "../../plugin/support/until";
import { describeWith } from "../../support/capabilities";
import { HOSTILE, takenLines } from "../../support/hostile";
import { onTerminal } from "../support/on-terminal";

const STEWARD = path.join(__dirname, "../../../dist/cli/main.js");
const TOKEN = "secret-token-1234";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-exec-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts `steward exec` in its own process group, as a shell does. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [STEWARD, "exec", ...args], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env["PATH"], ...env },
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    out: Buffer.concat(out),
    err: Buffer.concat(err).toString(),
  }));
  return { child, ended };
}

const run = (args: readonly string[], env: Record<string, string> = {}) => start(args, env).ended;

/**
 * Returns the state of a process; `T` means that the process is stopped. Reads the state from /proc or from `ps`, because
 * nearly every machine has /proc or `ps`.
 */
const stateOf = (pid: number): string | undefined =>
  existsSync("/proc/self/stat")
    ? / ([A-Z]) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "state=", "-p", String(pid)]).toString()[0];

/** Returns the arguments that run a script with Node. */
const node = (script: string, ...args: string[]) => ["--", process.execPath, "-e", script, "--", ...args];

describe("a program under exec", () => {
  test("steward exec passes a program's arguments on unchanged, with and without `--` before the program", async () => {
    const args = ["--json", "-no-color", "--", "exec", "", "a b", "--help", HOSTILE.replaceAll("\0", "")];
    const file = path.join(folder, "print.js");
    writeFileSync(file, "process.stdout.write(JSON.stringify(process.argv.slice(2)))");
    for (const first of [["--", process.execPath], [process.execPath]]) {
      const { code, out, err } = await run([...first, file, ...args]);
      expect({ code, err, args: JSON.parse(out.toString()) }).toEqual({ code: 0, err: "", args });
    }
  });

  test("steward exec passes the bytes of the program's stdin, stdout and stderr on unchanged", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256));
    const { child, ended } = start(node("process.stdin.pipe(process.stdout); console.error('\\u001b[31m!')"));
    child.stdin.end(bytes);
    const { code, out, err } = await ended;
    expect(code).toBe(0);
    expect(err).toBe("\u001b[31m!\n");
    expect(out.equals(bytes)).toBe(true);
  });

  test("steward exec exits with the program's exit code, or with 128 plus the signal number after a signal", async () => {
    expect((await run(node("process.exitCode = 7"))).code).toBe(7);
    expect((await run(node("process.kill(process.pid, 'SIGKILL')"))).code).toBe(137);
    expect((await run(node("process.kill(process.pid, 'SIGTERM')"))).code).toBe(143);
  });

  test("the program's environment contains the provider's address but no token", async () => {
    const show = node("process.stdout.write(JSON.stringify(process.env))");
    const { out, err } = await run(show, { STEWARD_TOKEN: TOKEN, COPY: TOKEN, STEWARD_LOG: "trace" });
    const env = JSON.parse(out.toString());
    expect(JSON.parse(env.TF_REATTACH_PROVIDERS)).toHaveProperty([
      "registry.steward.example/steward/steward",
    ]);
    expect(`${out}${err}`).not.toContain(TOKEN);
    expect(err).toContain("without STEWARD_TOKEN, COPY");
  });

  test("if the program is missing or not executable, the error of steward exec gives the reason", async () => {
    const { code, out, err } = await run(["--", "no-such-program"]);
    expect({ code, out: out.toString() }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: Program can't be started");
    expect(err).toContain("it was not found in PATH");
    writeFileSync(path.join(folder, "text"), "");
    expect((await run(["./text"])).err).toContain("the file is not executable");
    expect(takenLines((await run([HOSTILE.replaceAll("\0", "")])).err)).toEqual([]);
  });

  test("steward exec does not start the program if TF_REATTACH_PROVIDERS is not JSON", async () => {
    const { code, out, err } = await run(node("console.log('started')"), { TF_REATTACH_PROVIDERS: "{" });
    expect({ code, out: out.toString() }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Error: Invalid TF_REATTACH_PROVIDERS");
  });
});

/** A program that prints each signal, and exits after the last signal. */
const LISTENING = `
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"]) process.on(signal, () => {
  console.log(signal);
  if (signal === "SIGTERM") process.exit(5);
});
setInterval(() => {}, 1000);
console.log("ready");
`;

/** Resolves once a text is written. */
async function wrote(stream: NodeJS.ReadableStream, text: string): Promise<string> {
  let seen = "";
  for await (const [chunk] of on(stream, "data")) {
    seen += String(chunk);
    if (seen.includes(text)) return seen;
  }
  throw new Error(`"${text}" was never written: ${seen}`);
}

describe("a signal under exec", () => {
  test.each(["SIGINT", "SIGHUP"] as const)(
    "if %s goes only to steward, steward exec forwards the signal to the program once",
    async (signal) => {
      const { child, ended } = start(node(LISTENING));
      await wrote(child.stdout, "ready");
      child.kill(signal);
      await wrote(child.stdout, signal);
      child.kill("SIGTERM");
      const { code, out } = await ended;
      expect({ code, out: out.toString() }).toEqual({ code: 5, out: `ready\n${signal}\nSIGTERM\n` });
    },
  );

  test("if SIGINT goes to the whole process group, as with Ctrl-C, the program receives it once", async () => {
    const { child, ended } = start(node(LISTENING));
    await wrote(child.stdout, "ready");
    process.kill(-child.pid!, "SIGINT");
    await wrote(child.stdout, "SIGINT");
    child.kill("SIGTERM");
    const { code, out } = await ended;
    expect({ code, out: out.toString() }).toEqual({ code: 5, out: "ready\nSIGINT\nSIGTERM\n" });
  });

  test("steward exec also forwards a second SIGINT to the program", async () => {
    const { child, ended } = start(node(LISTENING));
    await wrote(child.stdout, "ready");
    for (const _ of [1, 2]) {
      child.kill("SIGINT");
      await wrote(child.stdout, "SIGINT");
    }
    child.kill("SIGTERM");
    expect((await ended).out.toString()).toBe("ready\nSIGINT\nSIGINT\nSIGTERM\n");
  });

  test("SIGTSTP to steward suspends both steward and the program until SIGCONT", async () => {
    const { child, ended } = start(node(`${LISTENING} console.log("pid " + process.pid);`));
    const pid = Number(/pid (\d+)/.exec(await wrote(child.stdout, "pid "))![1]);
    child.kill("SIGTSTP");
    await until("both are suspended", () => stateOf(pid) === "T" && stateOf(child.pid!) === "T");
    child.kill("SIGCONT");
    await until("both go on", () => stateOf(pid) !== "T" && stateOf(child.pid!) !== "T");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(5);
  });

  test("if SIGTERM ends the program, steward exec exits with code 143", async () => {
    const { child, ended } = start(node("setInterval(() => {}, 1000); console.log('ready')"));
    await wrote(child.stdout, "ready");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 143, signal: null });
  });
});

describeWith("python", "a terminal under exec", (python) => {
  const onOne = (script: string, answer: string) =>
    onTerminal(python, ["exec", ...node(script)], { folder, env: {}, answer });

  test("a program under exec can ask a question on the terminal and read the user's reply", async () => {
    const ask = `
process.stdout.write(process.stdin.isTTY && process.stdout.isTTY ? "Enter a value:" : "no terminal");
process.stdin.once("data", (answer) => { console.log("answer " + answer); process.exit(3); });
`;
    const { code, shown } = await onOne(ask, "yes");
    expect(code).toBe(3);
    expect(shown).toContain("answer yes\n");
  });

  test("Ctrl-C on the terminal reaches the program under exec once", async () => {
    // If Steward forwarded the interrupt, the program would count the interrupt before it gets the SIGTERM. The program
    // would then print 2.
    const count = `
let interrupts = 0;
process.on("SIGINT", () => { interrupts += 1; process.kill(process.ppid, "SIGTERM"); });
process.on("SIGTERM", () => { console.log("interrupts: " + interrupts); process.exit(3); });
setInterval(() => {}, 1000);
process.stdout.write("Enter a value:");
`;
    const { code, shown } = await onOne(count, "\u0003");
    expect(code).toBe(3);
    expect(shown).toContain("interrupts: 1\n");
  });
});
