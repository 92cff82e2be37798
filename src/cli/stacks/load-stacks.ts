import path from "node:path";
import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import { type Configuration, loadConfiguration } from "../../language";
import type { SourceArguments } from "../arguments/stack-options";
import type { Log } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { annotationDiagnostics, selectStacks } from "./manifest";
import { synthesize } from "./synthesize";

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

/** The configuration that `--config` names, or the app's stacks, freshly synthesized. */
export async function loadStacks(
  source: SourceArguments,
  terminal: Terminal,
  log: Log,
): Promise<LoadedStacks> {
  if (source.config !== undefined) {
    const configuration = loadConfiguration(path.resolve(terminal.folder, source.config));
    return {
      stacks: [{ name: undefined, constructPath: undefined, dependencies: [], configuration }],
      unselected: [],
      warnings: [],
    };
  }
  const { stacks } = await synthesize(source, terminal, log);
  const entries = selectStacks(stacks, source.stacks);
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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
