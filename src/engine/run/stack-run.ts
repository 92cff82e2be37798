import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import {
  type ConfiguredProvider,
  type ExpectedRead,
  type Provider,
  type Resolution,
  type RunOptions,
  SharedOwnership,
  settle,
} from "../../framework";
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
import { LeftOut } from "./containers";
import type { RunContext } from "./context";
import { type Node, providerNode } from "./declarations";
import { type Preparation, prepare } from "./prepare";
import type { Providers } from "./providers";
import { redactDiagnostic } from "./redaction";
import { internalError } from "./run-errors";

/** The purpose of a run: only a change has something to save when it is interrupted. */
type Purpose = "read" | "change";

/** Runs work with the prepared context, and closes its clients in the end. */
export async function withRun<T>(
  context: RunContext,
  work: (run: StackRun) => Promise<T>,
  purpose: Purpose = "read",
): Promise<T> {
  const run = new StackRun(prepare(context), purpose);
  try {
    return await work(run);
  } finally {
    await run.close();
  }
}

/**
 * One run over one stack: the graph of declarations, the values so far, the configured providers and the
 * diagnostics. Plan, apply, drift and validate visit the nodes in their own ways.
 */
export class StackRun {
  readonly context: RunContext;
  readonly graph: Graph<Node>;
  readonly evaluation: Evaluation;
  readonly diagnostics: Diagnostic[] = [];
  /** Addresses before `moved` blocks, by current address. */
  previousAddresses: ReadonlyMap<string, string> = new Map();
  /** Addresses in the state as it was read, by current address: those of displaced objects too. */
  origins: ReadonlyMap<string, string> = new Map();
  /** What the restriction to containers leaves out; undefined without one. */
  readonly leftOut: LeftOut | undefined;
  /** The results of conditions. */
  readonly checks = new CheckResults();
  readonly #providers: Providers;
  readonly #configured = new Map<string, ConfiguredProvider>();
  /** Who owns what, for all configurations that lead to one service. */
  readonly #ownership = new SharedOwnership();

  constructor(
    { context, graph, evaluation, providers, diagnostics }: Preparation,
    private readonly purpose: Purpose = "read",
  ) {
    this.context = context;
    this.graph = graph;
    this.evaluation = evaluation;
    this.#providers = providers;
    const { containers = [], share } = context;
    this.leftOut =
      containers.length > 0 || share !== undefined ? new LeftOut(this, containers, share) : undefined;
    this.report(diagnostics);
  }

  /** Records diagnostics and returns the outcome of the visit. */
  report(diagnostics: readonly Diagnostic[]): "done" | "failed" {
    if (diagnostics.length === 0) return "done";
    // Abandoned requests are reported once, by the interrupted run.
    const isInterrupted = this.purpose === "read" && this.context.stop?.aborted === true;
    const reported = isInterrupted ? diagnostics.filter(isNotCancellation) : diagnostics;
    const { sensitive } = this.context;
    this.diagnostics.push(
      ...(sensitive === undefined ? reported : reported.map((one) => redactDiagnostic(one, sensitive))),
    );
    return hasErrors(diagnostics) ? "failed" : "done";
  }

  /** Turns an exception of a visit into a failure, so that everything else is still reported and saved. */
  guard<T>(address: string, visit: () => Resolution<T>): Resolution<T | "done" | "failed"> {
    return settle<T | "done" | "failed">(visit, (problem) => this.recover(address, problem));
  }

  /** Reports the exception of a visit. */
  recover(address: string, problem: unknown): "done" | "failed" {
    if (problem instanceof DiagnosticError) return this.report(problem.diagnostics);
    this.context.onFault?.(problem);
    return this.report([internalError(problem, address)]);
  }

  /**
   * The source address of a provider configuration, by its key in the configuration (`steward`,
   * `steward.eu`).
   */
  source(key: string): string {
    return this.#providers.source(key);
  }

  providerFor(key: string): Provider | undefined {
    return this.#providers.find(key);
  }

  /** The schema of a declaration's type; types must have been checked before. */
  schema(declaration: ResourceDeclaration): Schema {
    return this.#providers.schema(declaration);
  }

  /** The configured provider; its node must have been visited. */
  configured(key: string): ConfiguredProvider {
    return this.#configured.get(key)!;
  }

  /** Announces reads to a provider: these objects, and the declared data sources. */
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

  /** Validates a provider's configuration and, if `isConnecting`, creates its client. */
  visitProvider(
    key: string,
    declaration: ProviderDeclaration | undefined,
    isConnecting: boolean,
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
      {},
      false,
    );
    if (hasErrors(diagnostics)) return this.report(diagnostics);
    const found = [...diagnostics, ...provider.validateProvider(config)].map((one) => ({
      ...locate(site),
      ...one,
    }));
    if (hasErrors(found) || !isConnecting) return this.report(found);
    const { parallelism: maxConcurrency, onRequest, env = {} } = this.context;
    const configured = provider.configure(config, {
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      env,
      ownership: this.#ownership,
      ...this.#requestSignals(),
      ...(onRequest && { onRequest }),
    });
    if (configured.provider !== undefined) this.#configured.set(key, configured.provider);
    return this.report([...found, ...configured.diagnostics.map((one) => ({ ...locate(site), ...one }))]);
  }

  /** The signals that abort requests: a run that only reads has nothing to save and ends at once. */
  #requestSignals(): Pick<RunOptions, "signal" | "stop"> {
    const { stop, abort } = this.context;
    if (this.purpose === "change") return { ...(abort && { signal: abort }), ...(stop && { stop }) };
    const signals = [stop, abort].filter((each) => each !== undefined);
    return signals.length === 0 ? {} : { signal: AbortSignal.any(signals) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#configured.values()].map((provider) => provider.close()));
  }
}

const isNotCancellation = ({ code }: Diagnostic): boolean => code !== "cancelled";
