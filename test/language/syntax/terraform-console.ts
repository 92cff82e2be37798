import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The output of Terraform for a case: the value as the console prints it; undefined for an error. */
export type Outcome = string | undefined;

/**
 * The configuration with the names that cases may use: an unknown string that is not null, an unknown string, and a value of
 * unknown type.
 */
const CONFIGURATION = {
  resource: {
    terraform_data: {
      unknown: { input: "x" },
      open: { input: "${try(terraform_data.unknown.id)}" },
    },
  },
};

/**
 * A folder in which `terraform console` evaluates values of a JSON configuration. One process evaluates many values.
 */
export class TerraformConsole {
  private readonly folder = mkdtempSync(path.join(tmpdir(), "terraform-console-"));

  constructor(private readonly program: string) {
    writeFileSync(this.file("terraform.rc"), "");
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  version(): string {
    const { stdout } = this.run(["version", "-json"], "");
    return (JSON.parse(stdout) as { terraform_version: string }).terraform_version;
  }

  /**
   * Returns the outcome of each value, in order. If a batch contains an error, the function divides it in halves, until the
   * batch is one value.
   */
  outcomes(sources: readonly unknown[]): Outcome[] {
    const together = this.evaluate(sources);
    if (together !== undefined) return together;
    if (sources.length === 1) return [undefined];
    const middle = Math.ceil(sources.length / 2);
    return [...this.outcomes(sources.slice(0, middle)), ...this.outcomes(sources.slice(middle))];
  }

  private file(name: string): string {
    return path.join(this.folder, name);
  }

  private run(args: readonly string[], input: string) {
    return spawnSync(this.program, args, {
      cwd: this.folder,
      input,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      env: {
        PATH: process.env["PATH"],
        TF_CLI_CONFIG_FILE: this.file("terraform.rc"),
        CHECKPOINT_DISABLE: "1",
        TF_IN_AUTOMATION: "1",
        NO_COLOR: "1",
      },
    });
  }

  private evaluate(sources: readonly unknown[]): Outcome[] | undefined {
    const locals = Object.fromEntries(sources.map((source, index) => [`c${index}`, source]));
    writeFileSync(this.file("main.tf.json"), JSON.stringify({ ...CONFIGURATION, locals }));
    const all = sources.map((_, index) => `c${index} = local.c${index}`).join(", ");
    const { status, stdout } = this.run(["console", "-plan"], `{${all}}\n`);
    return status === 0 && stdout.startsWith("{") ? splitOutput(stdout, sources.length) : undefined;
  }
}

/** Splits the printed object into its values. In the output, each value begins on a new line with its name. */
function splitOutput(stdout: string, count: number): string[] {
  const found = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of stdout.trimEnd().split("\n").slice(1, -1)) {
    const start = /^ {2}"(c\d+)" = (.*)$/s.exec(line);
    if (start === null) {
      current.push(line);
      continue;
    }
    current = [start[2]!];
    found.set(start[1]!, current);
  }
  return Array.from({ length: count }, (_, index) => found.get(`c${index}`)!.join("\n"));
}
