import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

type Files = Readonly<Record<string, string>>;

/** A repository on the platform. Commands run in a folder that is a checkout of the repository's protected branch. */
export class Repository {
  readonly #elsewhere = mkdtempSync(path.join(tmpdir(), "steward-repository-"));

  constructor(readonly folder: string) {
    this.#git(this.#elsewhere, "init", "--quiet", "--bare", "--initial-branch=main", ".");
    this.#git(folder, "init", "--quiet", "--initial-branch=main", ".");
    this.#git(folder, "remote", "add", "origin", this.#elsewhere);
  }

  /** Commits files of the folder to the protected branch. */
  commit(...names: readonly string[]): string {
    this.#git(this.folder, "add", "--force", ...names);
    this.#git(this.folder, "commit", "--quiet", "--message=change");
    this.#git(this.folder, "push", "--quiet", "origin", "HEAD:main");
    return this.#git(this.folder, "rev-parse", "HEAD");
  }

  /** Pushes the head of a merge request. Returns the checkout of this head. */
  propose(iid: number, files: Files, links: Files = {}): { readonly sha: string; readonly checkout: string } {
    const checkout = path.join(this.#elsewhere, `request-${iid}`);
    rmSync(checkout, { recursive: true, force: true });
    this.#git(this.#elsewhere, "clone", "--quiet", this.#elsewhere, checkout);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(checkout, name), text);
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(checkout, name));
    this.#git(checkout, "add", "--all");
    this.#git(checkout, "commit", "--quiet", "--message=request");
    this.#git(checkout, "push", "--quiet", "--force", "origin", `HEAD:refs/merge-requests/${iid}/head`);
    return { sha: this.#git(checkout, "rev-parse", "HEAD"), checkout };
  }

  remove(): void {
    rmSync(this.#elsewhere, { recursive: true, force: true });
  }

  #git(cwd: string, ...args: readonly string[]): string {
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    return execFileSync("git", [...author, ...args], { cwd, encoding: "utf8" }).trim();
  }
}
