import path from "node:path";
import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import { type Configuration, configurationFrom, loadConfiguration } from "../../language";
import type { Loading } from "./environment";
import { annotationDiagnostics, readManifest, type StackEntry, selectStacks } from "./manifest";
import { type AppSource, synthesize } from "./synthesize";

/** A stack with its configuration, ready to be worked on. */
export interface Stack {
  /** Its name in the app; nothing for a configuration that was named by its path. */
  readonly name: string | undefined;
  readonly constructPath: string | undefined;
  /** Construct paths of the stacks that have to come before it. */
  readonly dependencies: readonly string[];
  readonly configuration: Configuration;
}

/** A stack of the app that the command does not work on. */
export interface UnselectedStack {
  readonly name: string;
  /** Its configuration, read when it is wanted first. @throws DiagnosticError */
  readonly load: () => Configuration;
}

export interface LoadedStacks {
  /** In the order of their dependencies. */
  readonly stacks: readonly Stack[];
  readonly unselected: readonly UnselectedStack[];
  readonly warnings: readonly Diagnostic[];
}

/** An app of cdktf or cdktn in this process. */
export interface AppObject {
  readonly outdir: string;
  synth(): void;
}

/** Where stacks come from. Relative paths begin in the working folder. */
export type StackSource =
  /** A folder or file in Terraform's JSON syntax, or the configuration itself as an object. */
  | { readonly configuration: string | Readonly<Record<string, unknown>> }
  /** A folder that an app was synthesized to, such as `cdktf.out`. */
  | { readonly manifest: string }
  | AppObject
  | AppSource;

/**
 * Loads stacks, and runs the app where they come from one.
 *
 * @param names of the stacks to work on; all where it is empty
 * @throws DiagnosticError where the app fails, or what it left can't be used
 */
export async function loadStacks(
  source: StackSource,
  names: readonly string[],
  loading: Loading,
): Promise<LoadedStacks> {
  if ("configuration" in source) {
    const configuration = configurationOf(source.configuration, loading.folder);
    return {
      stacks: [{ name: undefined, constructPath: undefined, dependencies: [], configuration }],
      unselected: [],
      warnings: [],
    };
  }
  const stacks = await stackEntries(source, loading);
  const entries = selectStacks(stacks, names);
  const annotations = annotationDiagnostics(entries);
  if (hasErrors(annotations)) throw new DiagnosticError(annotations);
  return {
    stacks: entries.map(({ name, constructPath, dependencies, folder }) => ({
      name,
      constructPath,
      dependencies,
      configuration: loadConfiguration(folder),
    })),
    unselected: stacks
      .filter((entry) => !entries.includes(entry))
      .map(({ name, folder }) => ({ name, load: once(() => loadConfiguration(folder)) })),
    warnings: annotations,
  };
}

const configurationOf = (given: string | Readonly<Record<string, unknown>>, folder: string): Configuration =>
  typeof given === "string"
    ? loadConfiguration(path.resolve(folder, given))
    : configurationFrom(given, folder);

async function stackEntries(
  source: Exclude<StackSource, { configuration: unknown }>,
  loading: Loading,
): Promise<readonly StackEntry[]> {
  // An app has a manifest of its own, which is no folder.
  if ("synth" in source) {
    source.synth();
    return readManifest(path.resolve(loading.folder, source.outdir));
  }
  if ("manifest" in source) return readManifest(path.resolve(loading.folder, source.manifest));
  return (await synthesize(source, loading)).stacks;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
