import { type Diagnostic, DiagnosticError, error, hasErrors, nearest } from "../../diagnostics";
import type { ConfiguredProvider, ExpectedRead, Provider, RunOptions } from "../../framework";
import {
  DYNAMIC,
  Evaluation,
  evaluateBody,
  locate,
  type ProviderDeclaration,
  type ResourceDeclaration,
  unknown,
} from "../../language";
import type { Schema } from "../../schema";
import { withBuiltin } from "../builtin/builtin-provider";
import type { Graph } from "../graph/graph";
import { CheckResults } from "../model/check-results";
import { checkImports } from "./check-imports";
import { checkMoves } from "./check-moves";
import { checkProviderVersions } from "./check-provider-versions";
import { checkRemovals } from "./check-removals";
import type { RunContext } from "./context";
import { declarationGraph, declaredAddresses, type Node, providerNode } from "./declarations";
import { shownDiagnostic } from "./sensitive";
import { setVariables } from "./variables";

/**
 * One walk over one stack: the graph of its declarations, the values found so far, the configured providers, and what
 * went wrong. Plan, apply, drift and validate each bring their own way of visiting resources.
 */
export class StackRun {
  readonly context: RunContext;
  readonly graph: Graph<Node>;
  readonly evaluation: Evaluation;
  readonly diagnostics: Diagnostic[] = [];
  /** Where objects stood before `moved` blocks took them elsewhere, by their addresses now. */
  previousAddresses: ReadonlyMap<string, string> = new Map();
  /** What came of the conditions of resources, outputs and checks. */
  readonly checks = new CheckResults();
  readonly #purpose: "look" | "change";
  readonly #providers: RunContext["providers"];
  /** Every resource asks for its provider's, many times. */
  readonly #sources = new Map<string, string>();
  readonly #configured = new Map<string, ConfiguredProvider>();

  constructor(context: RunContext, purpose: "look" | "change" = "look") {
    const { configuration } = context;
    this.context = context;
    this.#purpose = purpose;
    this.#providers = withBuiltin(context.providers, configuration.folder);
    this.evaluation = new Evaluation(declaredAddresses(configuration), configuration.folder);
    const { graph, diagnostics } = declarationGraph(configuration);
    this.graph = graph.copy();
    this.report(diagnostics);
    this.report([
      ...checkImports(configuration),
      ...checkMoves(configuration),
      ...checkRemovals(configuration),
    ]);
    this.report(setVariables(configuration, context.variables, this.evaluation));
    for (const { name, sensitive } of configuration.variables.values())
      if (sensitive) keepInput(context, name);
    this.report(checkProviderVersions(configuration, context.providers));
    for (const declaration of configuration.resources.values()) this.report(this.#checkType(declaration));
  }

  /** Keeps diagnostics; answers what a visit answers then. */
  report(diagnostics: readonly Diagnostic[]): "done" | "failed" {
    // That requests were given up is told once, by the run that was interrupted.
    const isInterrupted = this.#purpose === "look" && this.context.stop?.aborted === true;
    const told = isInterrupted ? diagnostics.filter(isNoCancellation) : diagnostics;
    const { sensitive } = this.context;
    this.diagnostics.push(
      ...(sensitive === undefined ? told : told.map((one) => shownDiagnostic(one, sensitive))),
    );
    return hasErrors(diagnostics) ? "failed" : "done";
  }

  /** Makes a visit that throws one that failed: whatever else was done must still be told, and saved. */
  async guard<T>(address: string, visit: () => Promise<T>): Promise<T | "done" | "failed"> {
    try {
      return await visit();
    } catch (problem) {
      if (problem instanceof DiagnosticError) return this.report(problem.diagnostics);
      this.context.onFault?.(problem);
      return this.report([fault(problem, address)]);
    }
  }

  /** The source address of a provider configuration, by its key in the configuration (`steward`, `steward.eu`). */
  source(key: string): string {
    let source = this.#sources.get(key);
    if (source === undefined) {
      source = this.#findSource(key);
      this.#sources.set(key, source);
    }
    return source;
  }

  #findSource(key: string): string {
    const name = key.split(".")[0]!;
    const known = Object.keys(this.#providers);
    return (
      this.context.configuration.requiredProviders.get(name) ??
      known.find((source) => source.endsWith(`/${name}`)) ??
      name
    );
  }

  providerFor(key: string): Provider | undefined {
    return this.#providers[this.source(key)];
  }

  /** The schema of a declaration's type; only asked for once types are checked. */
  schema({ mode, type, provider }: ResourceDeclaration): Schema {
    const { resources, dataSources } = this.providerFor(provider)!.schema;
    return (mode === "managed" ? resources : dataSources)[type]!;
  }

  /** The provider with its client, once its node was visited. */
  configured(key: string): ConfiguredProvider {
    return this.#configured.get(key)!;
  }

  /** Says what will be read by a provider: these objects, and the data sources that are declared. */
  expectReads(key: string, objects: readonly ExpectedRead[]): void {
    const declared = [...this.context.configuration.resources.values()];
    const sources = declared.filter(({ mode, provider }) => mode === "data" && provider === key);
    this.configured(key).expectReads?.(objects, [...new Set(sources.map(({ type }) => type))]);
  }

  visitLocal(name: string, { expression }: Extract<Node, { kind: "local" }>): "done" | "failed" {
    const address = `local.${name}`;
    const { value, diagnostics } = this.evaluation.evaluate(
      expression,
      { address, construct: undefined },
      [],
    );
    this.evaluation.set(address, value ?? unknown(DYNAMIC));
    return this.report(diagnostics);
  }

  /** Checks a provider's configuration and, unless nothing may be asked of the service, makes its client. */
  visitProvider(
    key: string,
    declaration: ProviderDeclaration | undefined,
    connect: boolean,
  ): "done" | "failed" {
    const provider = this.providerFor(key);
    if (provider === undefined) return this.report([this.#unknownProvider(key)]);
    const site = { address: providerNode(key), construct: declaration?.construct };
    const { attributes } = provider.schema.provider;
    const { config, diagnostics } = evaluateBody(
      declaration?.body ?? new Map(),
      attributes,
      this.evaluation,
      site,
    );
    if (hasErrors(diagnostics)) return this.report(diagnostics);
    const found = [...diagnostics, ...provider.validateProvider(config)].map((one) => ({
      ...locate(site),
      ...one,
    }));
    if (hasErrors(found) || !connect) return this.report(found);
    const { parallelism: maxConcurrency, onRequest } = this.context;
    const configured = provider.configure(config, {
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      ...this.#ends(),
      ...(onRequest && { onRequest }),
    });
    if (configured.provider !== undefined) this.#configured.set(key, configured.provider);
    return this.report([...found, ...configured.diagnostics.map((one) => ({ ...locate(site), ...one }))]);
  }

  /** What ends requests: a run that only looks has nothing to save, and ends at once. */
  #ends(): Pick<RunOptions, "signal" | "stop"> {
    const { stop, abort } = this.context;
    if (this.#purpose === "change") return { ...(abort && { signal: abort }), ...(stop && { stop }) };
    const signals = [stop, abort].filter((each) => each !== undefined);
    return signals.length === 0 ? {} : { signal: AbortSignal.any(signals) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#configured.values()].map((provider) => provider.close()));
  }

  #checkType(declaration: ResourceDeclaration): Diagnostic[] {
    const provider = this.providerFor(declaration.provider);
    if (provider === undefined)
      return [{ ...this.#unknownProvider(declaration.provider), ...locate(declaration) }];
    if (declaration.provider.includes(".") && !this.context.configuration.providers.has(declaration.provider))
      return [noSuchAlias(declaration, this.context.configuration.providers.keys())];
    const { resources, dataSources } = provider.schema;
    const types = declaration.mode === "managed" ? resources : dataSources;
    if (declaration.type in types) return [];
    const kind = declaration.mode === "managed" ? "resource" : "data source";
    const close = nearest(declaration.type, Object.keys(types));
    const hint = close === undefined ? "`steward schema` lists all types." : `Did you mean "${close}"?`;
    return [
      error({
        code: "unknown_type",
        summary: `Unknown ${kind}`,
        detail: `The provider ${provider.schema.source} has no ${kind} "${declaration.type}". ${hint}`,
        ...locate(declaration),
      }),
    ];
  }

  #unknownProvider(key: string): Diagnostic {
    return error({
      code: "unknown_provider",
      summary: "Unknown provider",
      detail:
        `The provider ${this.source(key)} is not one that the embedded engine brings: it has ` +
        `${Object.keys(this.context.providers).join(", ")} alone. If that is meant, write it as the source in ` +
        "required_providers; otherwise use --engine terraform for this configuration.",
    });
  }
}

/** As it was given: what is made of it is met where it is used. */
function keepInput({ variables, sensitive }: RunContext, name: string): void {
  const input = variables[name];
  sensitive?.keep(input?.from === "json" ? input.json : input?.text);
}

const isNoCancellation = ({ code }: Diagnostic): boolean => code !== "cancelled";

function noSuchAlias(declaration: ResourceDeclaration, keys: Iterable<string>): Diagnostic {
  const close = nearest(declaration.provider, keys);
  const hint = close === undefined ? "Declare it, with its alias." : `Did you mean "${close}"?`;
  return error({
    code: "unknown_provider",
    summary: "Unknown provider configuration",
    detail: `There is no provider configuration "${declaration.provider}". ${hint}`,
    ...locate(declaration, ["provider"]),
  });
}

const fault = (problem: unknown, address: string): Diagnostic =>
  error({
    code: "internal_error",
    summary: "Fault of steward",
    detail:
      `Something that steward didn't expect happened: ${problem instanceof Error ? problem.message : String(problem)}. ` +
      "This is no fault of your configuration. Please report it, with what the command writes under STEWARD_LOG=debug.",
    address,
  });
