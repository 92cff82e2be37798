import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { COMMANDS, SECTIONS } from "../../../src/cli/commands";
import { describeWith } from "../../support/capabilities";
import { runInProcess } from "../support/in-process";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-completion-"));
  writeFileSync(path.join(folder, "plan file.steward"), "");
  writeFileSync(path.join(folder, "other.txt"), "");
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = async (shell: string): Promise<string> => {
  const { code, out } = await runInProcess(["completion", shell], { folder, env: {} });
  expect(code).toBe(0);
  return out;
};

const sorted = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .sort();

describeWith("bash", "the completion in bash", (bash) => {
  /** Returns the completions of the last word. */
  async function offered(...words: readonly string[]): Promise<string[]> {
    const driver = `${await script("bash")}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _steward; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return sorted(
      execFileSync(bash, ["-c", driver, "bash", "steward", ...words], { cwd: folder, encoding: "utf8" }),
    );
  }

  test("completion in bash offers every command", async () => {
    const names = new Set(COMMANDS.map(({ line }) => line.name.split(" ")[0]!));
    expect(await offered("")).toEqual([...names, "help"].sort());
    expect(await offered("pl")).toEqual(["plan"]);
    expect(await offered("state", "l")).toEqual(["list"]);
  });

  test("completion in bash offers the options of a command, even after other options", async () => {
    expect(await offered("plan", "--det")).toEqual(["--detailed-exitcode"]);
    expect(await offered("plan", "--out", "x", "--summ")).toEqual(["--summary"]);
    expect(await offered("state", "list", "--js")).toEqual(["--json"]);
    expect(await offered("schema", "--out")).toEqual([]);
  });

  test("completion in bash offers an argument's possible values, or file names if Steward knows no values", async () => {
    expect(await offered("completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(await offered("plan", "--report-format", "j")).toEqual(["json", "junit"]);
    expect(await offered("plan", "--out", "pl")).toEqual(["plan file.steward"]);
    expect(await offered("apply", "")).toEqual(["other.txt", "plan file.steward"]);
  });
});

describeWith("zsh", "the completion in zsh", (zsh) => {
  test("zsh loads the completion script, and the script defines the function _steward", async () => {
    const driver = `autoload -U compinit && compinit -u; ${await script("zsh")}\nwhence _steward`;
    expect(execFileSync(zsh, ["-f", "-c", driver], { cwd: folder, encoding: "utf8" })).toContain("_steward");
  });
});

describeWith("fish", "the completion in fish", (fish) => {
  test("completion in fish offers commands and options", async () => {
    const offered = async (line: string) => {
      const driver = `${await script("fish")}\ncomplete -C ${JSON.stringify(line)}`;
      const out = execFileSync(fish, ["--no-config", "-c", driver], { cwd: folder, encoding: "utf8" });
      return sorted(out).map((one) => one.split("\t")[0]);
    };
    expect(await offered("steward pl")).toEqual(["plan"]);
    expect(await offered("steward plan --det")).toEqual(["--detailed-exitcode"]);
  });
});

test("`steward --help` contains each section of commands, the exit codes and STEWARD_LOG", async () => {
  const { out } = await runInProcess(["--help"], { folder, env: {} });
  for (const { line } of COMMANDS) expect(SECTIONS).toHaveProperty(line.name.split(" ")[0]!);
  for (const section of new Set(Object.values(SECTIONS))) expect(out).toContain(`\n${section}\n`);
  expect(out).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n/);
  expect(out).toContain("STEWARD_LOG       log level for stderr: error, warn, info, debug or trace");
});
