import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROVIDER_SOURCE } from "../../../src/provider";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  /** The text of both output streams, in the order in which a person sees it. */
  readonly output: string;
}

/** A command that is still running. */
export interface Running {
  readonly child: ChildProcess;
  /** Returns everything that the command has already written. */
  output(): string;
  readonly ended: Promise<Outcome>;
}

const REQUIRED = `terraform {
  required_providers {
    steward = {
      source = "${PROVIDER_SOURCE}"
    }
  }
}
`;

/** A folder with a configuration, in which tests run a real engine. */
export class Workspace {
  readonly folder = mkdtempSync(path.join(tmpdir(), "plugin-workspace-"));
  readonly #engine: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(engine: string, env: Readonly<Record<string, string>>) {
    this.#engine = engine;
    this.#env = env;
    this.write("versions.tf", REQUIRED);
  }

  write(name: string, text: string): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), "utf8");
  }

  delete(name: string): void {
    rmSync(path.join(this.folder, name));
  }

  /** Starts a command without waiting for it. */
  start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    return this.startProgram(this.#engine, words, env);
  }

  /** Starts a program in a separate process group, as a terminal does. */
  startProgram(
    program: string,
    words: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Running {
    const child = spawn(program, words, {
      detached: true,
      cwd: this.folder,
      env: {
        PATH: process.env["PATH"],
        HOME: this.folder,
        TMPDIR: this.folder,
        ...QUIET,
        ...this.#env,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, output }));
    return { child, output: () => output, ended };
  }

  run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return this.start(words, env).ended;
  }

  /** Runs a command that has to succeed. */
  async succeed(...words: readonly string[]): Promise<Outcome> {
    const outcome = await this.run(words);
    if (outcome.code !== 0)
      throw new Error(`${words.join(" ")} ended with ${outcome.code}:\n${outcome.output}`);
    return outcome;
  }

  apply = (...words: readonly string[]): Promise<Outcome> => this.succeed("apply", "-auto-approve", ...words);

  /** Runs a plan. Returns its output, and whether it has changes. */
  async plan(...words: readonly string[]): Promise<Outcome & { readonly changes: boolean }> {
    const outcome = await this.run(["plan", "-detailed-exitcode", ...words]);
    if (outcome.code === 1) throw new Error(`plan failed:\n${outcome.output}`);
    return { ...outcome, changes: outcome.code === 2 };
  }

  /** Returns the planned actions by address, without no-ops. */
  async actions(...words: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
    await this.succeed("plan", "-out=planned", ...words);
    const shown = JSON.parse((await this.succeed("show", "-json", "planned")).stdout) as Shown;
    return Object.fromEntries(
      (shown.resource_changes ?? [])
        .map(({ address, change }): [string, readonly string[]] => [address, change.actions])
        .filter(([, actions]) => actions.join() !== "no-op"),
    );
  }

  /** Returns the attributes of all objects in the state, by address. */
  async state(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    const shown = JSON.parse((await this.succeed("show", "-json")).stdout) as Shown;
    return Object.fromEntries(
      (shown.values?.root_module.resources ?? []).map(({ address, values }) => [address, values]),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Shown {
  readonly resource_changes?: readonly { address: string; change: { actions: readonly string[] } }[];
  readonly values?: {
    readonly root_module: { resources?: readonly { address: string; values: Record<string, unknown> }[] };
  };
}

const QUIET = { CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_CLI_ARGS: "-no-color", TF_INPUT: "0" };
