import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "../../../../src/service";
import { type Kill, KillingProxy } from "../../kills/proxy";
import { COMPANY } from "./configurations";

export interface Ended {
  /** The exit code; null for a killed process. */
  readonly code: number | null;
  readonly text: string;
}

/** A service with the company, a proxy in front of the service, and a folder for programs. */
export class Workshop {
  readonly folder = mkdtempSync(path.join(tmpdir(), "upgrade-set-"));
  readonly proxy: KillingProxy;
  readonly service: Service;
  readonly #url: string;
  /** The `main.js` of the release that writes the set. */
  readonly program: string;

  private constructor(program: string, service: Service, proxy: KillingProxy, url: string) {
    this.program = program;
    this.service = service;
    this.proxy = proxy;
    this.#url = url;
  }

  /** @param program the `main.js` of the release that writes the set. */
  static async open(program: string): Promise<Workshop> {
    const service = await startService({ fixture: COMPANY });
    const proxy = new KillingProxy(service.url);
    return new Workshop(program, service, proxy, await proxy.start());
  }

  async close(): Promise<void> {
    this.proxy.close();
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(name: string, content: object): void {
    this.writeText(name, `${JSON.stringify(content, undefined, 2)}\n`);
  }

  writeText(name: string, text: string): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  makeFolder(name: string): void {
    mkdirSync(path.join(this.folder, name), { recursive: true });
  }

  remove(name: string): void {
    rmSync(path.join(this.folder, name), { recursive: true, force: true });
  }

  /** Links the packages of the release that writes the set, so that apps find them. */
  linkPackages(): void {
    const root = path.join(path.dirname(this.program), "../..");
    const modules = path.join(this.folder, "node_modules");
    mkdirSync(path.join(modules, ".bin"), { recursive: true });
    symlinkSync(root, path.join(modules, "cdktf-provider-steward"));
    for (const name of ["cdktf", "constructs", "tsx", "typescript"])
      symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
    symlinkSync(this.program, path.join(modules, ".bin", "steward"));
  }

  /** Makes a manual change. The set records this change among its writes. */
  async byHand(method: string, url: string, body?: object): Promise<void> {
    const answer = await fetch(`${this.#url}/api/v4${url}`, {
      method,
      headers: { "private-token": this.service.adminToken, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  }

  /** Runs `steward` in a subfolder until the command ends or the test kills it. */
  async steward(words: readonly string[], below = ".", kill?: Kill): Promise<Ended> {
    return this.run(process.execPath, [this.program, ...words], below, {}, kill);
  }

  /** Runs a program with the service's address and token in the environment. */
  async run(
    program: string,
    words: readonly string[],
    below: string,
    env: Readonly<Record<string, string>>,
    kill?: Kill,
  ): Promise<Ended> {
    const { PATH = "" } = process.env;
    const given = { STEWARD_BASE_URL: this.#url, STEWARD_TOKEN: this.service.adminToken };
    const password = { TF_HTTP_PASSWORD: this.service.adminToken };
    const child = spawn(program, words, {
      cwd: path.join(this.folder, below),
      env: { PATH, HOME: this.folder, ...given, ...password, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.proxy.begin(kill && { planned: kill, act: () => child.kill("SIGKILL") });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
    }
    const [code] = (await once(child, "close")) as [number | null];
    return { code, text };
  }

  /** Runs a command that must succeed. */
  async succeed(words: readonly string[], below = "."): Promise<string> {
    const { code, text } = await this.steward(words, below);
    if (code !== 0) throw new Error(`steward ${words.join(" ")} ended with ${code}:\n${text}`);
    return text;
  }

  /** Runs a command that must end with one of these exit codes. */
  async found(code: number, words: readonly string[], codes: readonly number[] = [code]): Promise<void> {
    const ended = await this.steward(words);
    if (!codes.includes(ended.code!))
      throw new Error(`steward ${words.join(" ")} ended with ${ended.code}:\n${ended.text}`);
  }

  /** Copies the files of a run into a set, with all requests that the service has executed so far. */
  keep(names: readonly string[], target: string): void {
    for (const name of names)
      cpSync(path.join(this.folder, name), path.join(target, name), { recursive: true });
    const done = this.proxy.done.filter(({ status }) => status < 300);
    const lines = done.map(({ method, url, body }) => JSON.stringify({ method, url, body }));
    writeFileSync(path.join(target, "writes.jsonl"), lines.map((line) => `${line}\n`).join(""));
  }
}
