import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startService } from "cdktf-provider-steward/testing";
import { runInProcess } from "../../cli/support/in-process";
import { ownProject, ROOT } from "../support/own-project";
import { company, TOKENS } from "./company";

const HERE = path.join(ROOT, "test/acceptance/review");

/** The repository of the company, and the company's service, before and after a merge request. */
export interface Repository {
  /** Makes the changes of the merge request in the app. */
  merge(): void;
  /** Runs a command and returns its stdout. The exit code may be 2, which means changes or drift. */
  steward(token: string, ...words: string[]): Promise<string>;
  /** Returns the report of a command; undefined if the command wrote no report. */
  report(name: string): string | undefined;
  /** Makes a manual change on the service. */
  byHand(method: string, path: string, body: object): Promise<void>;
  close(): Promise<void>;
}

/** The service's address in the golden files. */
const ADDRESS = "https://git.acme.example";
const TIME = "2026-11-23T08:00:00";

/**
 * Synthesizes the app's configurations only twice, before and after the merge request, because each synthesis starts
 * a process.
 */
export async function openRepository(): Promise<Repository> {
  const { folder, remove } = ownProject("test/acceptance/review/app");
  const before = synthesized("before");
  const after = synthesized("after");
  use(before);
  const service = await startService({ fixture: company });
  const masked = (text: string): string =>
    text
      .replaceAll(service.url, ADDRESS)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, `${TIME}.000Z`)
      .replaceAll(/timestamp=".*?"/g, `timestamp="${TIME}"`)
      .replaceAll(/ time="[\d.]+"/g, ' time="0"')
      .replaceAll(/"steward_version": ".*?"/g, '"steward_version": "1.0.0"')
      .replaceAll(/by<\/dt><dd>Steward [^<]*/g, "by</dt><dd>Steward 1.0.0")
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, `${TIME.replace("T", " ")} UTC`)
      .replaceAll(/[\d.]+ s<\/dd>/g, "1.0 s</dd>");

  function synthesized(name: "before" | "after"): string {
    if (name === "after") {
      // Without this limit, Git would find the repository of the checkout.
      const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) };
      execFileSync("git", ["apply", path.join(HERE, "merge-request.diff")], { cwd: folder, env });
    }
    const output = path.join(folder, `${name}.out`);
    const env = { ...process.env, CDKTF_OUTDIR: output };
    execFileSync(process.execPath, ["--import", "tsx", "main.ts"], { cwd: folder, env });
    return output;
  }

  function use(output: string): void {
    const app = `cp -R ${JSON.stringify(output)}/. "$CDKTF_OUTDIR"`;
    writeFileSync(path.join(folder, "cdktf.json"), JSON.stringify({ language: "typescript", app }));
  }

  return {
    merge: () => use(after),
    async steward(token, ...words) {
      const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: token };
      const { code, out, err } = await runInProcess(words, { folder, env });
      if (code !== 0 && code !== 2)
        throw new Error(`steward ${words.join(" ")} exits with ${code}:\n${out}${err}`);
      return masked(out);
    },
    report(name) {
      const file = path.join(folder, name);
      if (!existsSync(file)) return undefined;
      const text = masked(readFileSync(file, "utf8"));
      rmSync(file);
      return text;
    },
    async byHand(method, place, body) {
      const answer = await fetch(`${service.url}/api/v4${place}`, {
        method,
        headers: { "PRIVATE-TOKEN": service.adminToken, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${place} is answered with ${answer.status}.`);
      await answer.arrayBuffer();
    },
    async close() {
      await service.close();
      remove();
    },
  };
}

export { TOKENS };
