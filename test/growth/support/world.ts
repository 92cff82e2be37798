import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Terminal } from "../../../src/cli/terminal/terminal";
import type { FixtureInput } from "../../../src/service";
import type { Product } from "./product";

/** The address of the service, and the token. */
export interface Place {
  readonly url: string;
  readonly token: string;
}

/** Resources by type and name. */
export type Resources = Record<string, Record<string, object>>;

const SOURCE = "registry.steward.example/steward/steward";

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * The surroundings of a scene: a folder with a configuration of `size` objects, and a group on the service for these objects.
 */
export class World {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-growth-"));
  readonly size: number;
  /** The path of the group on the service that only this world uses. */
  readonly group: string;
  readonly product: Product;
  readonly #place: Place;

  constructor(product: Product, place: Place, { size, group }: { size: number; group: string }) {
    this.product = product;
    this.#place = place;
    this.size = size;
    this.group = group;
  }

  /** Writes the configuration. */
  declare(resource: Resources, more: object = {}): void {
    this.write("main.tf.json", {
      terraform: { required_providers: { steward: { source: SOURCE } } },
      provider: { steward: [{}] },
      resource,
      ...more,
    });
  }

  write(name: string, content: unknown): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  read = (name: string): string => readFileSync(path.join(this.folder, name), "utf8");

  forget = (name: string): void => rmSync(path.join(this.folder, name));

  /** Makes a manual change on the service. */
  async byHand(method: string, url: string, body: object): Promise<void> {
    const response = await fetch(`${this.#place.url}/api/v4${url}`, {
      method,
      headers: { "private-token": this.#place.token, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  }

  /** Runs a command to its end in this process, and returns its standard output. @throws Error unless it ends with `code` */
  async run(words: readonly string[], code = 0): Promise<string> {
    const { run, Channel } = this.product;
    const written = { out: [] as string[], err: [] as string[] };
    const { PATH = "", HOME = "" } = process.env;
    const terminal: Terminal = {
      env: { PATH, HOME, STEWARD_BASE_URL: this.#place.url, STEWARD_TOKEN: this.#place.token },
      folder: this.folder,
      out: new Channel((text) => written.out.push(text)),
      err: new Channel((text) => written.err.push(text)),
      isInteractive: false,
      ask: async () => undefined,
      readInput: async () => Buffer.alloc(0),
      onInterrupt: () => () => undefined,
      every: () => () => undefined,
      abort: (status) => {
        throw new Error(`steward ${words.join(" ")} ended at once with ${status}.`);
      },
    };
    const ended = await run(words, terminal);
    if (ended !== code)
      throw new Error(
        `steward ${words.slice(0, 9).join(" ")} ended with ${ended}, not ${code}:\n${written.err.join("").slice(0, 3000)}${written.out.join("").slice(-2000)}`,
      );
    return written.out.join("");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the fixture for these groups, each with this number of projects. */
export const fixtureOf = (groups: ReadonlyMap<string, number>): FixtureInput => ({
  groups: [...groups.keys()].map((path) => ({ path })),
  projects: [...groups].flatMap(([group, count]) =>
    numbers(count).map((index) => ({ path: `${group}/p${index}` })),
  ),
});
