import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { addressesOf } from "../../../src/state/model/edit";
import { emptyState } from "../../../src/state/model/model";
import { selectInstances } from "../../../src/state/model/select";
import { runInProcess } from "./in-process";
import type { Ended } from "./process";

const SOURCE = "registry.steward.example/steward/steward";

/** An app of several stacks in its own folder. Its command only copies what `declare` wrote, which is fast. */
export class App {
  readonly folder = mkdtempSync(path.join(tmpdir(), "steward-app-"));
  /** The provider configuration for stacks without one. */
  readonly provider: Readonly<Record<string, string>>;

  constructor(provider: Readonly<Record<string, string>>) {
    this.provider = provider;
    this.write("cdktf.json", { language: "typescript", app: 'cp -R synthesized/. "$CDKTF_OUTDIR"' });
  }

  /** Sets the configurations of the stacks by name, in the order of processing. */
  declare(
    stacks: Readonly<Record<string, object>>,
    backendOf = (name: string) => this.localBackend(name),
  ): void {
    const entries = Object.entries(stacks).map(
      ([name, { terraform = {}, ...configuration }]: [string, { terraform?: object }]) => {
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
        return [name, { name, constructPath: name, workingDirectory, dependencies: [], annotations: [] }];
      },
    );
    this.write("synthesized/manifest.json", { version: "0", stacks: Object.fromEntries(entries) });
  }

  localBackend = (name: string): object => ({ local: { path: this.stateFile(name) } });

  stateFile = (name: string): string => path.join(this.folder, `terraform.${name}.tfstate`);

  /** The addresses in the state of a stack. */
  async addresses(name: string): Promise<string[]> {
    return addressesOf(
      selectInstances((await new LocalBackend(this.stateFile(name)).read()) ?? emptyState()),
    );
  }

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
