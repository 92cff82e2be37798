import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundle } from "../../../scripts/plugin/bundle";
import { writeMirror } from "../../../src/plugin";
import { PROVIDER_SOURCE } from "../../../src/provider";

/** Stands in the program's name, by which this run's processes are told from those of any other. */
const version = `0.1.${process.pid}`;

/** A mirror with the provider as it is now, from one bundled file as users get it. */
export interface PluginMirror {
  readonly folder: string;
  readonly program: string;
  readonly version: string;
  /** What the processes of the provider are called. */
  readonly processName: string;
  /** The CLI configuration that uses it. */
  readonly configuration: string;
  remove(): void;
}

export async function makeMirror(): Promise<PluginMirror> {
  const folder = mkdtempSync(path.join(tmpdir(), "plugin-test-"));
  const script = path.join(folder, "provider.js");
  await bundle(path.join(__dirname, "provider-main.ts"), script);
  const mirror = path.join(folder, "mirror");
  const configuration = await writeMirror(mirror, { program: script, source: PROVIDER_SOURCE, version });
  const processName = `terraform-provider-steward_v${version}`;
  const [platform] = readdirSync(path.join(mirror, PROVIDER_SOURCE, version));
  return {
    folder: mirror,
    program: path.join(mirror, PROVIDER_SOURCE, version, platform!, processName),
    version,
    processName,
    configuration,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
