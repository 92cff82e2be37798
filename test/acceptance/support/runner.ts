import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { linkPackages, ROOT } from "./own-project";
import { type EndedJob, Pipeline } from "./pipeline";

type Variables = Readonly<Record<string, string>>;

/**
 * The protected variables, which only pipelines of protected branches get. Each variable is limited to the environments that
 * its pattern matches.
 */
const SCOPES = {
  STEWARD_TOKEN: /^steward\/(?:apply|break-glass)$/,
  STEWARD_READ_TOKEN: /^steward\/read$/,
  STEWARD_COMMENT_TOKEN: /^steward\/(?:apply|break-glass|comments|issues)$/,
};
const PROTECTED = ["STEWARD_TOKEN", "STEWARD_COMMENT_TOKEN"];

/** Evaluates a condition (`if`) of a pipeline file. The pipelines use only comparisons that `&&` joins. */
function holds(condition: string, known: Variables): boolean {
  const textOf = (text: string) => (text.startsWith("$") ? (known[text.slice(1)] ?? "") : JSON.parse(text));
  return condition.split(" && ").every((part) => {
    const [, left = "", operator = "", right = ""] = /^(\S+) (==|!=|=~) (.+)$/.exec(part) ?? [];
    if (operator === "=~") return new RegExp(right.slice(1, -1)).test(String(textOf(left)));
    if (operator === "") throw new Error(`The condition ${part} is not known here`);
    return (textOf(left) === textOf(right)) === (operator === "==");
  });
}

/** Returns the paths of the files below a folder, relative to the folder. For a file, returns one empty path. */
const filesBelow = (target: string): string[] =>
  statSync(target).isFile()
    ? [""]
    : readdirSync(target, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => path.relative(target, path.join(one.parentPath, one.name)));

/** A job that a pipeline ran. */
export interface RunJob extends EndedJob {
  readonly name: string;
  /** The texts of the artifact files, by name. */
  readonly files: Variables;
}

/**
 * A repository with a runner. Each job gets a fresh checkout of its commit, and the artifacts of the jobs that it
 * needs.
 */
export class Runner {
  readonly #place = mkdtempSync(path.join(tmpdir(), "steward-runner-"));
  readonly origin = path.join(this.#place, "origin");
  readonly author = path.join(this.#place, "author");
  /** Called before each job. */
  onJob: (name: string) => void = () => undefined;

  /** @param version the release that `npx --package` may install */
  constructor(
    files: string,
    private readonly file: string,
    version: string,
    private readonly inputs: Variables = {},
  ) {
    mkdirSync(this.author);
    cpSync(files, this.author, { recursive: true });
    this.#git(this.#place, "init", "--quiet", "--bare", "--initial-branch=main", this.origin);
    this.#git(this.author, "init", "--quiet", "--initial-branch=main", ".");
    this.#git(this.author, "remote", "add", "origin", this.origin);
    const bin = path.join(this.#place, "bin");
    mkdirSync(bin);
    const script = (name: string, text: string) => {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(path.join(bin, name), 0o755);
    };
    script("npm", `env >> "${this.#place}/npm-environment"`);
    const steward = path.join(ROOT, "dist/cli/main.js");
    script(
      "npx",
      `case "$1" in steward) shift ;; --yes) test "$3" = "cdktf-provider-steward@${version}" || exit 9; shift 4 ;; *) exit 9 ;; esac; exec node ${steward} "$@"`,
    );
  }

  /** Commits the files of the author to a branch, and pushes it. */
  commit(branch: string, ...refs: readonly string[]): string {
    this.#git(this.author, "add", "--all");
    this.#git(this.author, "commit", "--quiet", "--allow-empty", "--message=change");
    this.#git(
      this.author,
      "push",
      "--quiet",
      "--force",
      "origin",
      ...[branch, ...refs].map((ref) => `HEAD:${ref}`),
    );
    return this.git("rev-parse", "HEAD");
  }

  /** Runs git as the author. */
  git(...args: readonly string[]): string {
    return this.#git(this.author, ...args);
  }

  /**
   * Runs the jobs of a pipeline in the order of its stages, up to a failure.
   *
   * @param manual a job that a person starts: only this job and its required jobs run
   */
  async run(commit: string, variables: Variables, manual?: string): Promise<readonly RunJob[]> {
    const isProtected = variables["CI_COMMIT_BRANCH"] === "main";
    const known = Object.fromEntries(
      Object.entries({ CI_DEFAULT_BRANCH: "main", CI_COMMIT_SHA: commit, ...variables }).filter(
        ([name]) => isProtected || !PROTECTED.includes(name),
      ),
    );
    const ran: RunJob[] = [];
    const artifacts = mkdtempSync(path.join(this.#place, "artifacts-"));
    const pipeline = new Pipeline([this.author], this.file, this.inputs, SCOPES);
    const chosen = manual === undefined ? undefined : [manual, ...(pipeline.job(manual).needs ?? [])];
    const jobs = pipeline.jobs.filter(
      (name) =>
        (chosen === undefined || chosen.includes(name)) &&
        pipeline
          .job(name)
          .rules.some((rule) => holds(rule.if, known) && (rule.when !== "manual" || name === manual)),
    );
    const order = ({ name }: { readonly name: string }) => pipeline.stages.indexOf(pipeline.job(name).stage);
    for (const { name } of jobs.map((name) => ({ name })).sort((one, other) => order(one) - order(other))) {
      this.onJob(name);
      const ended = await this.#runJob(pipeline, name, commit, known, artifacts);
      ran.push(ended);
      if (ended.result === "failed") break;
    }
    return ran;
  }

  remove(): void {
    rmSync(this.#place, { recursive: true, force: true });
  }

  /**
   * Returns the paths of two files. npm's scripts write their environment to the file `npm`, and the app writes its
   * environment to `app`.
   */
  get environments(): { readonly npm: string; readonly app: string } {
    return { npm: path.join(this.#place, "npm-environment"), app: path.join(this.#place, "app-environment") };
  }

  async #runJob(
    pipeline: Pipeline,
    name: string,
    commit: string,
    known: Variables,
    artifacts: string,
  ): Promise<RunJob> {
    const { variables = {}, needs = [], artifacts: own } = pipeline.job(name);
    const folder = mkdtempSync(path.join(this.#place, "job-"));
    if (variables["GIT_STRATEGY"] !== "empty") {
      this.#git(folder, "clone", "--quiet", this.origin, ".");
      this.#git(folder, "fetch", "--quiet", "origin", commit);
      this.#git(folder, "checkout", "--quiet", "--detach", commit);
      linkPackages(folder);
    }
    symlinkSync(path.join(this.#place, "bin"), path.join(folder, "bin"));
    for (const one of needs) {
      const left = path.join(artifacts, one);
      if (existsSync(left)) cpSync(left, folder, { recursive: true });
    }
    const ended = await pipeline.runIn(name, folder, known);
    const files: Record<string, string> = {};
    for (const given of own?.paths ?? []) {
      const file = given.replaceAll(/\$(\w+)/g, (_, variable: string) => ended.env[variable] ?? "");
      const target = path.join(folder, file);
      if (!existsSync(target)) continue;
      cpSync(target, path.join(artifacts, name, file), { recursive: true });
      for (const name of filesBelow(target))
        if (path.join(file, name).endsWith(".json"))
          files[path.join(file, name)] = readFileSync(path.join(target, name), "utf8");
    }
    rmSync(folder, { recursive: true, force: true });
    return { ...ended, name, files };
  }

  #git(cwd: string, ...args: readonly string[]): string {
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    return execFileSync("git", [...author, ...args], { cwd, encoding: "utf8" }).trim();
  }
}
