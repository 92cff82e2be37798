import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROVIDER_SOURCE } from "../../src/provider";
import type { Resources } from "./estate";

/** A folder with a configuration as it is synthesized, and its state. */
export class StackFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  readonly state = path.join(this.path, "terraform.tfstate");

  declare(resource: Resources): void {
    const configuration = {
      terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
      provider: { steward: [{}] },
      resource,
    };
    writeFileSync(path.join(this.path, "cdk.tf.json"), JSON.stringify(configuration));
  }

  /** What makes a command work on it. */
  get words(): readonly string[] {
    return ["--config", this.path, "--state", this.state];
  }

  get stateMegabytes(): number {
    return statSync(this.state).size / 2 ** 20;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
