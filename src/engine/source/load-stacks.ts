import path from "node:path";
import { type Diagnostic, DiagnosticError, fail, hasErrors } from "../../diagnostics";
import { type Configuration, configurationFrom, loadConfiguration } from "../../language";
import { memoize } from "../../schema";
import { withoutKey } from "../declarations/address-keys";
import type { LoadOptions } from "../stack-run/context";
import { annotationDiagnostics, knownStacks, readManifest, type StackEntry } from "./app-files";
import { statesInOutput } from "./local-state";
import { dividedStacks, type Shard, stacksOfShard } from "./shards";
import { type AppSource, runSynthesis, type Synthesized } from "./synthesize";
import { initializedBackend, variablesWithoutEffect } from "./terraform-inputs";

/** A loaded stack. */
export interface Stack {
  /** The name in the app; undefined for a configuration that belongs to no app. */
  readonly name: string | undefined;
  readonly constructPath: string | undefined;
  /** Construct paths of the stacks that must come before this stack. */
  readonly dependencies: readonly string[];
  readonly configuration: Configuration;
  /** The shard that this run processes: a part of the stack's containers. The other shards contain the remaining containers. */
  readonly share?: Shard | undefined;
}

/** A stack of the app that the command does not process. */
export interface UnselectedStack {
  readonly name: string;
  /**
   * Loads the stack's configuration on first use.
   *
   * @throws DiagnosticError if the configuration is invalid
   */
  readonly load: () => Configuration;
}

export interface LoadedStacks {
  /** The stacks, in the order of their dependencies. */
  readonly stacks: readonly Stack[];
  readonly unselected: readonly UnselectedStack[];
  /** The shard of this run. Other runs process the unselected stacks as other shards of the same app. */
  readonly shard?: Shard | undefined;
  /**
   * Returns the folders whose automatic variables files apply to a stack. A value in a later folder wins. The list for an app
   * begins with the folder of its cdktf.json.
   */
  readonly variableFolders: (configuration: Configuration) => readonly string[];
  readonly warnings: readonly Diagnostic[];
  /** Errors for given names without a stack. Set only with the option `reportsUnknownStacks`. */
  readonly unknown?: readonly Diagnostic[] | undefined;
}

/** The app object of cdktf or cdktn in this process. */
export interface AppObject {
  readonly outdir: string;
  synth(): void;
}

/** The source of stacks. Relative paths start in the working folder. */
export type StackSource =
  /** A folder or file in Terraform's JSON syntax, or the configuration as an object. */
  | { readonly configuration: string | Readonly<Record<string, unknown>> }
  /** The output folder of a synthesized app, such as `cdktf.out`. */
  | { readonly manifest: string }
  | AppObject
  | AppSource;

/**
 * Loads stacks. If the source is an app, the function runs the app first.
 *
 * @param choice the names of the stacks to select (all stacks if empty), or a shard of the stacks
 * @throws DiagnosticError if the app fails or its output is invalid
 */
export async function loadStacks(
  source: StackSource,
  choice: readonly string[] | Shard,
  loading: LoadOptions,
): Promise<LoadedStacks> {
  if ("configuration" in source) {
    const configuration = configurationOf(source.configuration, loading);
    return {
      stacks: [{ name: undefined, constructPath: undefined, dependencies: [], configuration }],
      unselected: [],
      variableFolders: ({ folder }) => [folder],
      warnings: variablesWithoutEffect(loading),
    };
  }
  const { stacks, output } = await synthesizedStacks(source, loading);
  const configurations = new Map(
    stacks.map(
      (entry) => [entry, () => withInitializedBackend(() => configurationIn(entry), loading.env)] as const,
    ),
  );
  const { entries, divided, unknown } =
    "total" in choice
      ? { ...entriesOfShard(configurations, choice), unknown: [] }
      : entriesOfNames(stacks, choice, loading);
  const selected = new Set(entries);
  const annotations = annotationDiagnostics(entries);
  if (hasErrors(annotations)) throw new DiagnosticError(annotations);
  const loaded = entries.map((entry) => {
    const { name, constructPath, dependencies } = entry;
    const share = divided?.has(name) && "total" in choice ? choice : undefined;
    return {
      name,
      constructPath,
      dependencies,
      configuration: configurations.get(entry)!(),
      ...(share && { share }),
    };
  });
  return {
    stacks: loaded,
    unselected: stacks
      .filter((entry) => !selected.has(entry))
      .map((entry) => ({ name: entry.name, load: configurations.get(entry)! })),
    ...("total" in choice && { shard: choice }),
    variableFolders: ({ folder }) => [loading.folder, folder],
    warnings: [
      ...variablesWithoutEffect(loading),
      ...annotations,
      ...statesInOutput(
        loaded.map(({ name, configuration: { backend, folder } }) => ({ name, backend, folder })),
        output,
        loading.folder,
      ),
    ],
    unknown,
  };
}

/**
 * Returns the entries of the stacks with these names.
 *
 * @throws DiagnosticError for names without a stack; with `reportsUnknownStacks`, only if no name has a stack
 */
function entriesOfNames(
  stacks: readonly StackEntry[],
  names: readonly string[],
  { reportsUnknownStacks = false }: LoadOptions,
) {
  const { selected, unknown } = knownStacks(stacks, names);
  if (unknown.length > 0 && !(reportsUnknownStacks && selected.length > 0))
    throw new DiagnosticError(unknown);
  return { entries: selected, divided: undefined, unknown };
}

function entriesOfShard(configurations: ReadonlyMap<StackEntry, () => Configuration>, shard: Shard) {
  const stacks = [...configurations].map(([entry, load]) => ({ ...entry, configuration: ifValid(load) }));
  const divided = shard.total > 1 ? dividedStacks(stacks) : new Set<string>();
  const names = stacksOfShard(
    stacks.filter(({ name }) => !divided.has(name)),
    shard,
  );
  const entries = [...configurations.keys()].filter(({ name }) => names.has(name) || divided.has(name));
  return { entries, divided };
}

/** Returns the result of `load`, such as the configuration of a stack. Returns undefined if `load` fails with diagnostics. */
export function ifValid<T>(load: () => T): T | undefined {
  try {
    return load();
  } catch (problem) {
    if (problem instanceof DiagnosticError) return undefined;
    throw problem;
  }
}

/** Loads a configuration. Completes its backend with the settings of `terraform init`. */
function withInitializedBackend(load: () => Configuration, env: LoadOptions["env"]): Configuration {
  const configuration = load();
  const { backend, folder } = configuration;
  const initialized = initializedBackend({ backend, folder }, env);
  return initialized === backend ? configuration : { ...configuration, backend: initialized };
}

const configurationOf = (
  given: string | Readonly<Record<string, unknown>>,
  { folder, env }: LoadOptions,
): Configuration =>
  typeof given === "string"
    ? withInitializedBackend(() => loadConfiguration(path.resolve(folder, given)), env)
    : configurationFrom(given, folder);

async function synthesizedStacks(
  source: Exclude<StackSource, { configuration: unknown }>,
  loading: LoadOptions,
): Promise<Synthesized> {
  const inFolder = (folder: string): Synthesized => {
    const output = path.resolve(loading.folder, folder);
    return { output, stacks: readManifest(output) };
  };
  // An app object is handled first, because it also has a property `manifest`, which is not a path.
  if ("synth" in source) {
    source.synth();
    return inFolder(source.outdir);
  }
  if ("manifest" in source) return inFolder(source.manifest);
  return runSynthesis(source, loading);
}

/** Returns the configuration of a stack. Each stack is loaded only once. */
const configurationIn = memoize(({ folder }: StackEntry) => loadConfiguration(folder));

/** Returns a function that selects the one stack that declares an address. */
export const declaringStack =
  (address: string) =>
  <S extends NamedStack & Pick<Stack, "configuration">>(stacks: readonly S[]): readonly S[] => {
    // With a single stack, the engine reports an undeclared address itself.
    if (stacks.length === 1) return stacks;
    const resource = withoutKey(address);
    const declaring = stacks.filter(({ configuration }) => configuration.resources.has(resource));
    if (declaring.length === 1) return declaring;
    return declaring.length === 0 ? notDeclared(address, stacks) : declaredInSeveral(address, declaring);
  };

type NamedStack = Pick<Stack, "name">;

const names = (stacks: readonly NamedStack[]): string => stacks.map(({ name }) => name).join(", ");

const notDeclared = (address: string, stacks: readonly NamedStack[]): never =>
  fail({
    code: "import_not_declared",
    summary: "Import target is not declared",
    detail: `None of the stacks (${names(stacks)}) declares ${address}. Declare it, then import.`,
  });

const declaredInSeveral = (address: string, stacks: readonly NamedStack[]): never =>
  fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `Several stacks declare ${address}: ${names(stacks)}. Choose one with --stack NAME.`,
  });

/**
 * Returns the only item of a list that has one item for each stack. Fails if the list has several items, because the command
 * works on one stack only.
 */
export function requireSingle<T extends { readonly stack: string | undefined }>(
  places: readonly T[],
  what: string,
): T {
  const [first, second] = places;
  if (first !== undefined && second === undefined) return first;
  const all = places.map(({ stack }) => stack).join(", ");
  return fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `The app has several stacks (${all}), but ${what} works on one stack. Choose it with --stack NAME.`,
  });
}
