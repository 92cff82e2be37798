import { lstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { readAppSettings } from "./app-settings";
import type { LoadOptions } from "./environment";
import { readManifest, type StackEntry } from "./manifest";
import { runApp } from "./run-app";

/** An app to run. Missing values come from `STEWARD_APP` and the `cdktf.json` of the working folder. */
export interface AppSource {
  /** The shell command. */
  readonly app?: string | undefined;
  /** The output folder. */
  readonly output?: string | undefined;
}

/** The result of synthesis. */
export interface Synthesized {
  readonly output: string;
  readonly stacks: readonly StackEntry[];
}

/** Runs the app of the working folder and reads its output, in the layout of the cdktf CLI. */
export async function synthesize(source: AppSource, loading: LoadOptions): Promise<Synthesized> {
  const settings = readAppSettings(loading, source);
  const { output } = settings;
  // An old manifest must not be mistaken for the output of an app that wrote none.
  const manifest = path.join(output, "manifest.json");
  // The reader reports a folder of that name.
  if (!isFolder(manifest)) rmSync(manifest, { force: true });
  await runApp(settings, loading);
  const stacks = readManifest(output);
  removeOrphans(output, stacks);
  return { output, stacks };
}

/** Removes the folders of stacks that the app no longer has. */
function removeOrphans(output: string, stacks: readonly StackEntry[]): void {
  const parent = path.join(output, "stacks");
  // A link could lead to unrelated folders.
  if (!isFolder(parent)) return;
  const kept = new Set(stacks.map(({ folder }) => folder));
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    const folder = path.join(parent, entry.name);
    if (entry.isDirectory() && !kept.has(folder)) rmSync(folder, { recursive: true });
  }
}

const isFolder = (at: string): boolean => lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
