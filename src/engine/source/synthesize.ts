import { lstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { readAppSettings } from "./app-settings";
import type { Loading } from "./environment";
import { readManifest, type StackEntry } from "./manifest";
import { runApp } from "./run-app";

/** An app that is run; what is left out comes from `STEWARD_APP` and the `cdktf.json` of the working folder. */
export interface AppSource {
  /** The command, for a shell. */
  readonly app?: string | undefined;
  /** The folder to synthesize into. */
  readonly output?: string | undefined;
}

/** What synthesizing left. */
export interface Synthesized {
  readonly output: string;
  readonly stacks: readonly StackEntry[];
}

/** Runs the app of the working folder and reads what it left: the layout is that of the cdktf CLI. */
export async function synthesize(source: AppSource, loading: Loading): Promise<Synthesized> {
  const settings = readAppSettings(loading, source);
  const { output } = settings;
  // An old manifest must not pass for the work of an app that left none.
  const manifest = path.join(output, "manifest.json");
  // A folder at its place is reported by who reads it.
  if (!isFolder(manifest)) rmSync(manifest, { force: true });
  await runApp(settings, loading);
  const stacks = readManifest(output);
  removeOrphans(output, stacks);
  return { output, stacks };
}

/** Folders of stacks that the app no longer has. */
function removeOrphans(output: string, stacks: readonly StackEntry[]): void {
  const parent = path.join(output, "stacks");
  // A link would lead to folders that are nobody's stacks.
  if (!isFolder(parent)) return;
  const kept = new Set(stacks.map(({ folder }) => folder));
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    const folder = path.join(parent, entry.name);
    if (entry.isDirectory() && !kept.has(folder)) rmSync(folder, { recursive: true });
  }
}

const isFolder = (at: string): boolean => lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
