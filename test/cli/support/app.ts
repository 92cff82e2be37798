import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { addressesOf } from "../../../src/state/model/edit";
import { emptyState } from "../../../src/state/model/model";
import { selectInstances } from "../../../src/state/model/select";
import { runInProcess } from "./in-process";
import type { Place } from "./place";
import type { Ended } from "./process";

const SOURCE = "registry.steward.example/steward/steward";

/** The command of an app that copies what was synthesized, in place of an app that loads cdktf. */
export const COPY = 'cp -R synthesized/. "$CDKTF_OUTDIR"';

/** Synthesizes a script's app once; the commands that follow copy what came of it. */
export function synthesizeOnce(place: Pick<Place, "folder" | "write">, script: string): void {
  const file = place.write("app.js", script);
  const NODE_PATH = path.join(__dirname, "..", "..", "..", "node_modules");
  const { PATH = "" } = process.env;
  execFileSync(process.execPath, [file], {
    cwd: place.folder,
    env: { PATH, NODE_PATH, CDKTF_OUTDIR: path.join(place.folder, "synthesized") },
  });
  place.write("cdktf.json", { language: "typescript", app: COPY });
}

/** The addresses in a state. */
export const addressesIn = async (file: string): Promise<string[]> =>
  addressesOf(selectInstances((await new LocalBackend(file).read()) ?? emptyState()));

interface Declared {
  readonly terraform?: object;
  readonly dependencies?: readonly string[];
}

/** An app of several stacks in its own folder. Its command only copies what `declare` wrote, which is fast. */
export class App {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-app-"));
  /** The provider configuration for stacks without one. */
  readonly provider: Readonly<Record<string, string>>;

  constructor(provider: Readonly<Record<string, string>>) {
    this.provider = provider;
    this.write("cdktf.json", { language: "typescript", app: COPY });
  }

  /** Sets the configurations of the stacks by name, in the order of processing, each with the names of those it needs. */
  declare(
    stacks: Readonly<Record<string, object>>,
    backendOf = (name: string) => this.localBackend(name),
  ): void {
    const entries = Object.entries(stacks).map(
      ([name, { terraform = {}, dependencies = [], ...configuration }]: [string, Declared]) => {
        const workingDirectory = `stacks/${name}`;
        this.write(`synthesized/${workingDirectory}/cdk.tf.json`, {
          terraform: {
            required_providers: { steward: { source: SOURCE } },
            backend: backendOf(name),
            ...terraform,
          },
          provider: { steward: [this.provider] },
          ...configuration,
        });
        return [name, { name, constructPath: name, workingDirectory, dependencies, annotations: [] }];
      },
    );
    this.write("synthesized/manifest.json", { version: "0", stacks: Object.fromEntries(entries) });
  }

  localBackend = (name: string): object => ({ local: { path: this.stateFile(name) } });

  stateFile = (name: string): string => path.join(this.folder, `terraform.${name}.tfstate`);

  /** The addresses in the state of a stack. */
  addresses = (name: string): Promise<string[]> => addressesIn(this.stateFile(name));

  /** Runs a command in this process. */
  run = (...argv: string[]): Promise<Ended> => runInProcess(argv, { folder: this.folder });

  write(name: string, content: unknown): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  read = (name: string): string => readFileSync(path.join(this.folder, name), "utf8");

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
