import { lstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { SourceArguments } from "../arguments/stack-options";
import type { Log } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { readAppSettings } from "./app-settings";
import { readManifest, type StackEntry } from "./manifest";
import { runApp } from "./run-app";

/** What synthesizing left. */
export interface Synthesized {
  readonly output: string;
  readonly stacks: readonly StackEntry[];
}

/** Runs the app of the working folder and reads what it left: the layout is that of the cdktf CLI. */
export async function synthesize(
  source: Pick<SourceArguments, "app" | "output">,
  terminal: Terminal,
  log: Log,
): Promise<Synthesized> {
  const settings = readAppSettings(terminal, source);
  const { output } = settings;
  // An old manifest must not pass for the work of an app that left none.
  const manifest = path.join(output, "manifest.json");
  // A folder at its place is reported by who reads it.
  if (!isFolder(manifest)) rmSync(manifest, { force: true });
  await runApp(settings, terminal, log);
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
