import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeMirror } from "../../../src/plugin";
import { ownPlatform } from "../../../src/plugin/mirror/platform";
import { PROVIDER_SOURCE } from "../../../src/provider";

/**
 * The version of the provider. The version becomes a part of the program's name, so that the processes of different
 * test runs have different names.
 */
const version = `0.1.${process.pid}`;

const built = path.join(__dirname, "../../../dist/bundle");
/** The built provider, and its licences. */
export const PROGRAM = {
  script: readFileSync(path.join(built, "plugin.js")),
  licences: readFileSync(path.join(built, "plugin-licences.txt")),
};

/** A mirror with the provider as users get it. */
export interface PluginMirror {
  readonly folder: string;
  readonly program: string;
  readonly version: string;
  /** The name of the provider's processes. */
  readonly processName: string;
  /** The CLI configuration for this mirror. */
  readonly configuration: string;
  remove(): void;
}

export async function makeMirror(): Promise<PluginMirror> {
  const folder = mkdtempSync(path.join(tmpdir(), "plugin-test-"));
  const platform = ownPlatform();
  const configuration = await writeMirror(folder, {
    programs: new Map([[platform, PROGRAM]]),
    source: PROVIDER_SOURCE,
    version,
  });
  const processName = `terraform-provider-steward_v${version}`;
  return {
    folder,
    program: path.join(folder, PROVIDER_SOURCE, version, platform, processName),
    version,
    processName,
    configuration,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
