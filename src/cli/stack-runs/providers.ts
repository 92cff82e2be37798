import { existsSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, fail } from "../../diagnostics";
import {
  decodeStateText,
  findSchema,
  type LoadedStacks,
  loadStacks,
  type Provider,
  parseState,
  type ResourceState,
  type Schema,
  type State,
} from "../../engine";
import { createProvider, PROVIDER_NAME, PROVIDER_SOURCE, sharedPace } from "../../provider";
import type { DriftArguments } from "../arguments/drift";
import { invalid } from "../arguments/option";
import type { SourceArguments } from "../arguments/shared-options";
import { readNamed, type Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";
import { whileLoading } from "./load-stacks";

/**
 * Returns the provider of this release, configured by the terminal's environment. All configurations of the provider share the
 * limit of requests per minute.
 */
export function ownProvider({ env }: Pick<Terminal, "env">, maxRequestsPerMinute?: number): Provider {
  const provider = createProvider();
  const pace = sharedPace(maxRequestsPerMinute, env);
  const memory = new Map<string, unknown>();
  const shown = new Set<string>();
  /**
   * Returns true for an error, and for the first of several warnings with the same text. Every stack configures the provider,
   * so a problem of the environment would otherwise cause a warning for each stack.
   */
  const isNew = ({ severity, detail }: Diagnostic): boolean => {
    if (severity === "error") return true;
    const isFirst = !shown.has(detail);
    shown.add(detail);
    return isFirst;
  };
  return {
    ...provider,
    version: packageVersion(),
    configure(config, run) {
      const { diagnostics, ...configured } = provider.configure(config, { env, pace, memory, ...run });
      return { ...configured, diagnostics: diagnostics.filter(isNew) };
    },
  };
}

/** Returns the providers for the embedded engine, by source address. */
export function ownProviders(
  terminal: Pick<Terminal, "env">,
  maxRequestsPerMinute?: number,
): Record<string, Provider> {
  const provider = ownProvider(terminal, maxRequestsPerMinute);
  return { [provider.schema.source]: provider };
}

/**
 * Returns a function that finds the schema of a resource in a state, if the provider or the engine knows the type of the
 * resource.
 */
export function schemaOf(): (resource: Pick<ResourceState, "mode" | "type">) => Schema | undefined {
  const provider = createProvider();
  return (resource) => findSchema({ [provider.schema.source]: provider }, resource);
}

/**
 * Reads the state for a drift run without a configuration. The command line names this state with `--state -`, or with `--state
 * FILE` if there is no configuration. Returns undefined in all other cases.
 */
export async function readStandaloneState(
  args: DriftArguments,
  terminal: Terminal,
): Promise<State | undefined> {
  const { state, coverage } = args;
  const isInput = state === "-";
  const given = givenConfiguration(args);
  if (state === undefined || (!isInput && hasConfiguration(args, terminal))) return undefined;
  if (given !== undefined) refuse(`--state - needs no configuration, so --${given[0]} has no effect`);
  if (coverage) refuse("--coverage needs the configuration, because a state does not contain declarations");
  const { bytes, name } = await readNamed(state, "state_not_found", terminal);
  const text = decodeStateText(bytes, name);
  if (text.trim() === "")
    fail({
      code: "state_empty",
      summary: "State is empty",
      detail: `${name} is empty. Nothing was checked. Check the command that wrote it: \`terraform state pull\` prints nothing if it fails or if there is no state.`,
    });
  return parseState(text, name);
}

/** Returns the option of the command line that names a configuration; undefined if there is no such option. */
const givenConfiguration = ({ config, app, output, stacks = [] }: SourceArguments) =>
  Object.entries({ config, app, output, stack: stacks[0] }).find(([, value]) => value !== undefined);

/** Returns true if the command line, the environment or the folder has a configuration or an app. */
export const hasConfiguration = (args: SourceArguments, { env, folder }: Terminal): boolean =>
  givenConfiguration(args) !== undefined ||
  (env["STEWARD_APP"] ?? "") !== "" ||
  existsSync(path.join(folder, "cdktf.json"));

const refuse = (why: string): never => invalid("Conflicting options", `${why}. Omit one of them.`);

/**
 * Loads a configuration that contains only the provider. The settings of the provider come from the environment. The
 * configuration has no variables.
 */
export const loadProviderOnly = (terminal: Terminal): Promise<LoadedStacks> =>
  whileLoading(terminal, async (loading) => {
    const loaded = await loadStacks(
      {
        configuration: {
          terraform: { required_providers: { [PROVIDER_NAME]: { source: PROVIDER_SOURCE } } },
          provider: { [PROVIDER_NAME]: [{}] },
        },
      },
      [],
      loading,
    );
    return { ...loaded, variableFolders: () => [] };
  });
