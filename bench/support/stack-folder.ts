import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROVIDER_SOURCE } from "../../src/provider";
import { measure } from "./command";
import type { Resources } from "./estate";

const APP = path.join(__dirname, "app.js");
const STACK = "bench";

/** A folder with the synthesized configuration and the state of a stack. */
export class StackFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  /** The path of the state. A synthesized configuration contains this path, so every engine uses this file. */
  readonly state = path.join(this.path, `terraform.${STACK}.tfstate`);
  readonly configuration = path.join(this.path, "cdk.tf.json");

  declare(resource: Resources): void {
    const configuration = {
      terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
      provider: { steward: [{}] },
      resource,
    };
    writeFileSync(this.configuration, JSON.stringify(configuration));
  }

  /**
   * Runs an app that declares these resources, and keeps the synthesized configuration. Returns the seconds from the
   * app's start to its end.
   */
  async synthesize(resource: Resources): Promise<number> {
    const [declared, output] = ["declared.json", "cdktf.out"].map((name) => path.join(this.path, name)) as [
      string,
      string,
    ];
    writeFileSync(declared, JSON.stringify(resource));
    // The synthesized configuration keeps the state in the folder where the app runs.
    const { seconds } = await measure(process.execPath, [APP, declared, output, STACK], { cwd: this.path });
    copyFileSync(path.join(output, "stacks", STACK, "cdk.tf.json"), this.configuration);
    return seconds;
  }

  /** The options with which a command uses this folder. */
  get words(): readonly string[] {
    return ["--config", this.path, "--state", this.state];
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
