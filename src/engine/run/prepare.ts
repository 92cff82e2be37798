import type { Diagnostic } from "../../diagnostics";
import { Evaluation } from "../../language";
import type { Graph } from "../graph/graph";
import { checkImports } from "./check-imports";
import { checkMoves } from "./check-moves";
import { checkProviderVersions } from "./check-provider-versions";
import { checkRemovals } from "./check-removals";
import type { RunContext } from "./context";
import { declarationGraph, declaredAddresses, type Node } from "./declarations";
import { Providers } from "./providers";
import { setVariables } from "./variables";

/** A configuration that is ready for a walk: everything that is known before a provider or the service is asked. */
export interface Preparation {
  readonly context: RunContext;
  /** The declarations by their references; this preparation's own, so that a walk may add to it. */
  readonly graph: Graph<Node>;
  /** Evaluates expressions; it has the values of the variables. */
  readonly evaluation: Evaluation;
  readonly providers: Providers;
  /** What is wrong with the declarations, as far as that can be told now. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Prepares every run: plan, apply, drift, import, recovery and validation begin here. */
export function prepare(context: RunContext): Preparation {
  const { configuration } = context;
  const providers = new Providers(configuration, context.providers);
  const evaluation = new Evaluation(declaredAddresses(configuration), configuration.folder);
  const { graph, diagnostics } = declarationGraph(configuration);
  const found = [
    ...diagnostics,
    ...checkImports(configuration),
    ...checkMoves(configuration),
    ...checkRemovals(configuration),
    ...setVariables(configuration, context.variables, evaluation),
    ...checkProviderVersions(configuration, context.providers),
    ...[...configuration.resources.values()].flatMap((declaration) => providers.checkType(declaration)),
  ];
  for (const { name, sensitive } of configuration.variables.values()) if (sensitive) keepInput(context, name);
  return { context, graph: graph.copy(), evaluation, providers, diagnostics: found };
}

/** As it was given: what is made of it is met where it is used. */
function keepInput({ variables, sensitive }: RunContext, name: string): void {
  const input = variables[name];
  sensitive?.add(input?.from === "json" ? input.json : input?.text);
}
