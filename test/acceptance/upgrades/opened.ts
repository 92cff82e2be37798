import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import { runInProcess } from "../../cli/support/in-process";

const FIXTURES = path.join(__dirname, "../../fixtures");

/**
 * The names of the sets. A set is a folder with the files that one earlier release wrote; see `make/make-set.ts`.
 */
export const SETS: readonly string[] = readdirSync(FIXTURES).sort();

export const folderOf = (set: string, ...names: readonly string[]): string =>
  path.join(FIXTURES, set, ...names);

/** Returns the names of the killed runs whose files a set contains. */
export const killedIn = (set: string): readonly string[] => readdirSync(folderOf(set, "killed")).sort();

interface Write {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** A copy of the files that an earlier release wrote, and a service with the objects that these files describe. */
export class Opened {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-upgrade-"));
  readonly service: Service;

  private constructor(service: Service) {
    this.service = service;
  }

  static async open(set: string, name: string): Promise<Opened> {
    const company = JSON.parse(readFileSync(folderOf(set, "company.json"), "utf8")) as FixtureInput;
    const opened = new Opened(await startService({ fixture: company }));
    cpSync(folderOf(set, name), opened.folder, { recursive: true });
    for (const line of opened.read("writes.jsonl").split("\n").filter(Boolean)) {
      const { method, url, body } = JSON.parse(line) as Write;
      await opened.send(method, `${opened.service.url}${url}`, body);
    }
    opened.service.requests.reset();
    return opened;
  }

  async close(): Promise<void> {
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a command of this release in the folder or in a subfolder. */
  async steward(words: readonly string[], below = ".", env: Readonly<Record<string, string>> = {}) {
    const client = { STEWARD_BASE_URL: this.service.url, STEWARD_TOKEN: this.service.adminToken };
    return runInProcess(words, { folder: path.join(this.folder, below), env: { ...client, ...env } });
  }

  /** Runs a command that must succeed. */
  async succeed(words: readonly string[], below = ".", env: Readonly<Record<string, string>> = {}) {
    const { code, out, err } = await this.steward(words, below, env);
    if (code !== 0) throw new Error(`steward ${words.join(" ")} ended with ${code}:\n${out}${err}`);
    return { out, err };
  }

  /** Returns the changes of a plan, as `update ADDRESS`. */
  async planned(below = "."): Promise<readonly string[]> {
    const { out } = await this.steward(["plan", "--json", "--config", "."], below);
    const events = out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as PlanEvent);
    return events.flatMap(({ type, change, diagnostic }) => {
      if (diagnostic?.severity === "error") return [`error ${diagnostic.detail}`];
      return type === "planned_change" ? [`${change!.action} ${change!.resource.addr}`] : [];
    });
  }

  has = (name: string): boolean => existsSync(path.join(this.folder, name));
  read = (name: string): string => readFileSync(path.join(this.folder, name), "utf8");
  delete = (name: string): void => rmSync(path.join(this.folder, name));
  write = (name: string, text: string): void => writeFileSync(path.join(this.folder, name), text);

  async send(method: string, url: string, body: string | undefined): Promise<string> {
    const headers = { "private-token": this.service.adminToken, "content-type": "application/json" };
    const answer = await fetch(url, { method, headers, ...(body && { body }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return text;
  }

  /** Returns the declared objects on the service, without the ids and dates that the service assigns. */
  async content(): Promise<readonly unknown[]> {
    const parts = ["job_token_scope", "job_token_scope/allowlist", "protected_environments", "invitations"];
    const places = [1, 2].flatMap((id) =>
      [...parts, "registry/protection/repository/rules"].map((part) => `/projects/${id}/${part}`),
    );
    const url = `${this.service.url}/api/v4`;
    const found = await Promise.all(places.map((place) => this.send("GET", `${url}${place}`, undefined)));
    return found.map((text, at) => [
      places[at],
      withoutStamps(JSON.parse(text.replaceAll(this.service.url, "http://service"))),
    ]);
  }
}

interface PlanEvent {
  readonly type: string;
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } };
  readonly diagnostic?: { readonly severity: string; readonly detail: string };
}

const STAMPS = new Set(["id", "created_at", "invited_at", "last_activity_at", "web_url"]);

function withoutStamps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStamps).sort(byText);
  if (typeof value !== "object" || value === null) return value;
  const named = Object.entries(value).filter(([name]) => !STAMPS.has(name));
  return Object.fromEntries(named.map(([name, one]) => [name, withoutStamps(one)]));
}

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
