import { type Diagnostic, error } from "../../diagnostics";
import type { Provider } from "../../framework";
import { type Configuration, Evaluation, isAllowedVersion } from "../../language";
import type { Graph } from "../graph/graph";
import { checkImports, checkMoves, checkRemovals } from "./check-blocks";
import type { RunContext } from "./context";
import { declarationGraph, isDeclared, type Node } from "./declarations";
import { ProviderFunctions, Providers } from "./providers";
import { setVariables } from "./variables";

/** Reports version constraints that the providers of this run do not meet. */
function checkProviderVersions(
  { requiredProviders, providerVersions }: Configuration,
  providers: Readonly<Record<string, Provider>>,
): Diagnostic[] {
  return [...providerVersions].flatMap(([name, constraint]) => {
    const source = requiredProviders.get(name)!;
    const version = providers[source]?.version;
    if (version === undefined || isAllowedVersion(version, constraint)) return [];
    const detail =
      `required_providers asks for ${source} ${JSON.stringify(constraint)}, but this is version ${version}. Install a ` +
      "version that meets it, or change the constraint.";
    return [error({ code: "provider_version_unmet", summary: "Provider version does not match", detail })];
  });
}

/** A prepared configuration: everything that is known before a provider or the service is asked. */
export interface Preparation {
  readonly context: RunContext;
  /** The graph of declarations; a copy that a run may extend. */
  readonly graph: Graph<Node>;
  /** Evaluates expressions; it already has the values of variables. */
  readonly evaluation: Evaluation;
  readonly providers: Providers;
  /** Errors of the declarations, as far as they are known. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Prepares a run: plan, apply, drift, import, recovery and validation. */
export function prepare(context: RunContext): Preparation {
  const { configuration } = context;
  const providers = new Providers(configuration, context.providers);
  const evaluation = new Evaluation(
    (address) => isDeclared(configuration, address),
    configuration.folder,
    new ProviderFunctions(configuration, providers),
  );
  const { graph, diagnostics } = declarationGraph(configuration);
  const found = [
    ...diagnostics,
    ...checkImports(configuration),
    ...checkMoves(configuration),
    ...checkRemovals(configuration),
    ...setVariables(configuration, context.variables, evaluation),
    ...checkProviderVersions(configuration, context.providers),
  ];
  configuration.resources.forEach((declaration) => {
    const problems = providers.checkType(declaration);
    if (problems.length > 0) found.push(...problems);
  });
  for (const { name, sensitive, ephemeral } of configuration.variables.values())
    if (sensitive || ephemeral) collectInput(context, name);
  return { context, graph: graph.copy(), evaluation, providers, diagnostics: found };
}

/** The value as given; converted values are collected where they are used. */
function collectInput({ variables, sensitive }: RunContext, name: string): void {
  const input = variables[name];
  sensitive?.add(input?.from === "json" ? input.json : input?.text);
}
