import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Terminal } from "../terminal/terminal";

const run = promisify(execFile);

/**
 * The names of environment variables with secrets that git does not get. Git gets CI_JOB_TOKEN, because it may need this
 * token to read the repository.
 */
const WITHHELD = /^(?:STEWARD_|TF_HTTP_PASSWORD$)/;

/**
 * Git settings for a checkout of files that the author of a request controls. Git writes symbolic links as small files, so a
 * program that reads the checkout can't follow a link out of the checkout. Git runs no hook and no filter.
 */
const HOSTILE = [
  ["core.symlinks", "false"],
  ["core.hooksPath", "/dev/null"],
  ["filter.lfs.process", ""],
  ["filter.lfs.smudge", ""],
  ["filter.lfs.required", "false"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** The folders of two checkouts: the head of a merge request, and the commit at which the request left its target branch. */
export interface RequestCheckouts {
  readonly head: string;
  readonly base: string;
}

/**
 * Makes checkouts of merge requests below the working folder, because Node finds the installed packages of the target branch
 * from there.
 */
export class Checkouts {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(private readonly terminal: Pick<Terminal, "env" | "folder">) {
    this.#folder = mkdtempSync(path.join(terminal.folder, ".steward-requests-"));
    this.#env = Object.fromEntries(Object.entries(terminal.env).filter(([name]) => !WITHHELD.test(name)));
  }

  /**
   * Checks out a merge request, runs `work`, and removes the checkout. Runs no code of the request.
   *
   * @param ref the git ref of the request's head on the platform
   * @throws Error for a commit that can't be read
   */
  async use<T>(
    { sha, ref }: { readonly sha: string; readonly ref: string },
    work: (checkouts: RequestCheckouts) => T | Promise<T>,
  ): Promise<T> {
    const isCommit = ["cat-file", "-e", `${sha}^{commit}`];
    if (!(await this.#succeeds(...isCommit))) await this.#git("fetch", "--quiet", "--no-tags", "origin", ref);
    const base = (await this.#git("merge-base", "HEAD", sha)).trim();
    const [headFolder, baseFolder] = [path.join(this.#folder, "head"), path.join(this.#folder, "base")];
    try {
      for (const [folder, commit] of [
        [headFolder, sha],
        [baseFolder, base],
      ] as const)
        await this.#git(...HOSTILE, "worktree", "add", "--force", "--detach", folder, commit);
      return await work({ head: headFolder, base: baseFolder });
    } finally {
      for (const folder of [headFolder, baseFolder]) rmSync(folder, { recursive: true, force: true });
      await this.#git("worktree", "prune");
    }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #git(...args: readonly string[]): Promise<string> {
    try {
      const options = { cwd: this.terminal.folder, env: this.#env, maxBuffer: 1024 * 1024 };
      return (await run("git", args, options)).stdout;
    } catch (problem) {
      const { stderr, code } = Object(problem) as { readonly stderr?: string; readonly code?: unknown };
      const words = stderr?.trim().split("\n").at(-1) || `it ended with ${String(code)}`;
      const command = args[0] === "-c" ? "worktree" : args[0];
      throw new Error(`\`git ${command}\` failed: ${words}`);
    }
  }

  #succeeds(...args: readonly string[]): Promise<boolean> {
    return this.#git(...args).then(
      () => true,
      () => false,
    );
  }
}
