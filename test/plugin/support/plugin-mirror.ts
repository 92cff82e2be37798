import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundle } from "../../../scripts/plugin/bundle";
import { writeMirror } from "../../../src/plugin";
import { PROVIDER_SOURCE } from "../../../src/provider";

export const VERSION = "0.1.0";

/** A mirror with the provider as it is now, from one bundled file as users get it. */
export interface PluginMirror {
  readonly folder: string;
  readonly program: string;
  /** The CLI configuration that uses it. */
  readonly configuration: string;
  remove(): void;
}

export async function makeMirror(): Promise<PluginMirror> {
  const folder = mkdtempSync(path.join(tmpdir(), "plugin-test-"));
  const program = path.join(folder, "terraform-provider-steward");
  await bundle(path.join(__dirname, "provider-main.ts"), program);
  const mirror = path.join(folder, "mirror");
  return {
    folder: mirror,
    program,
    configuration: writeMirror(mirror, { program, source: PROVIDER_SOURCE, version: VERSION }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
