import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import type { ConfiguredProvider, ExpectedRead, Provider, RunOptions } from "../../framework";
import {
  DYNAMIC,
  type Evaluation,
  evaluateBody,
  locate,
  type ProviderDeclaration,
  type ResourceDeclaration,
  unknown,
} from "../../language";
import type { Schema } from "../../schema";
import type { Graph } from "../graph/graph";
import { CheckResults } from "../model/check-results";
import type { RunContext } from "./context";
import { type Node, providerNode } from "./declarations";
import { internalError } from "./internal-error";
import { type Preparation, prepare } from "./prepare";
import type { Providers } from "./providers";
import { shownDiagnostic } from "./sensitive";

/** What a walk is for: only a change has something to save when it is interrupted. */
type Purpose = "look" | "change";

/** Prepares a run, works with it, and ends its clients, whatever comes of it. */
export async function withRun<T>(
  context: RunContext,
  work: (run: StackRun) => Promise<T>,
  purpose: Purpose = "look",
): Promise<T> {
  const run = new StackRun(prepare(context), purpose);
  try {
    return await work(run);
  } finally {
    await run.close();
  }
}

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
  readonly #purpose: Purpose;
  readonly #providers: Providers;
  readonly #configured = new Map<string, ConfiguredProvider>();

  constructor(
    { context, graph, evaluation, providers, diagnostics }: Preparation,
    purpose: Purpose = "look",
  ) {
    this.context = context;
    this.graph = graph;
    this.evaluation = evaluation;
    this.#purpose = purpose;
    this.#providers = providers;
    this.report(diagnostics);
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
      return this.report([internalError(problem, address)]);
    }
  }

  /** The source address of a provider configuration, by its key in the configuration (`steward`, `steward.eu`). */
  source(key: string): string {
    return this.#providers.source(key);
  }

  providerFor(key: string): Provider | undefined {
    return this.#providers.find(key);
  }

  /** The schema of a declaration's type; only asked for once types are checked. */
  schema(declaration: ResourceDeclaration): Schema {
    return this.#providers.schema(declaration);
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
    if (provider === undefined) return this.report([this.#providers.unknown(key)]);
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
    const { parallelism: maxConcurrency, onRequest, env = {} } = this.context;
    const configured = provider.configure(config, {
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      env,
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
}

const isNoCancellation = ({ code }: Diagnostic): boolean => code !== "cancelled";
