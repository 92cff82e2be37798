import { type Diagnostic, DiagnosticError, error, hasErrors } from "../../diagnostics";
import {
  type ConfiguredProvider,
  type ExpectedRead,
  type Provider,
  type Resolution,
  type RunOptions,
  SharedOwnership,
  withRecovery,
} from "../../framework";
import {
  type Configuration,
  DYNAMIC,
  Evaluation,
  type Expression,
  evaluateBody,
  locate,
  unknown,
} from "../../language";
import { once, type ResourceSchema } from "../../schema";
import { checkBlocks } from "../declarations/check-blocks";
import {
  type Declared,
  declarationGraph,
  declarationOf,
  isDeclared,
  type Node,
  providerKeys,
  providerNode,
} from "../declarations/declarations";
import { withPosition } from "../declarations/declared-position";
import type { Graph } from "../declarations/graph";
import { type Visited, type WalkOptions, walk } from "../declarations/walk";
import { CheckResults } from "../results/check-results";
import { redactDiagnostic } from "../results/redaction";
import { blameToken, hasRefused } from "./blame-token";
import { type Restriction, type RunContext, restrictionOf, VISIT_CONCURRENCY } from "./context";
import { type OfType, ProviderFunctions, Providers } from "./providers";
import { setVariables } from "./variables";
import { selectedWorkspace } from "./workspace";

/** The number of requests that a brief access report may send in addition to the plan, for each container with changes. */
export const BRIEF_READS = 2;

/** The purpose of a run. Only a run with the purpose `change` has something to save after an interruption. */
type Purpose = "read" | "change";

/** Creates a run, calls `work` with it, and closes the clients of the run at the end. */
export async function withRun<T>(
  context: RunContext,
  work: (run: StackRun) => Promise<T>,
  purpose: Purpose = "read",
): Promise<T> {
  const run = new StackRun(context, purpose);
  try {
    return await work(run);
  } finally {
    await run.close();
  }
}

/**
 * One run over one stack: the graph of declarations, the current values, the configured providers and the diagnostics. Plan,
 * apply, drift and validate visit the nodes in different ways.
 */
export class StackRun {
  /** The graph of declarations; a copy that the run may extend. */
  readonly graph: Graph<Node>;
  /** The evaluation of expressions. The values of the variables are set before any other evaluation. */
  readonly evaluation: Evaluation;
  readonly diagnostics: Diagnostic[] = [];
  /** The addresses that objects had before the `moved` blocks, by their current addresses. */
  previousAddresses: ReadonlyMap<string, string> = new Map();
  /**
   * The addresses of objects in the saved state, by their current addresses. The map includes objects that moved only
   * to free an address.
   */
  origins: ReadonlyMap<string, string> = new Map();
  /** The addresses that the selection of containers leaves out; undefined without a selection. */
  readonly leftOut: Set<string> | undefined;
  /** The restriction of the run; undefined if the run is not restricted. */
  readonly restriction: Restriction | undefined;
  /** The results of conditions. */
  readonly checks = new CheckResults();
  readonly #providers: Providers;
  readonly #configured = new Map<string, ConfiguredProvider>();
  /** The owners of objects and entries. All provider configurations of one service share this record. */
  readonly #ownership = new SharedOwnership();

  constructor(
    readonly context: RunContext,
    private readonly purpose: Purpose = "read",
  ) {
    const { configuration, variables, sensitive, targets, excludes, containers = [], share } = context;
    const { folder, requiredProviders, providerVersions, providers } = configuration;
    this.#providers = new Providers(
      { folder, requiredProviders, providerVersions, providers },
      context.providers,
      context.localStates,
    );
    this.evaluation = new Evaluation(
      (address) => isDeclared(configuration, address),
      configuration.folder,
      new ProviderFunctions([...requiredProviders.keys(), ...providerKeys(configuration)], this.#providers),
      selectedWorkspace(configuration.folder, context.env ?? {}),
    );
    const { graph, diagnostics } = declarationGraph(configuration);
    this.graph = graph.copy();
    this.restriction = restrictionOf({ targets, excludes, containers, share });
    this.leftOut = containers.length > 0 || share !== undefined ? new Set() : undefined;
    for (const { name, sensitive: isSensitive, ephemeral } of configuration.variables.values()) {
      const input = variables[name];
      // Adds the given value to the sensitive texts. The converted value is added when an expression uses it.
      if (isSensitive || ephemeral) sensitive?.add(input?.from === "json" ? input.json : input?.text);
    }
    this.report([
      ...diagnostics,
      ...blockProblems(configuration),
      ...setVariables(configuration.variables, variables, this.evaluation),
      ...this.#providers.check(configuration.resources.values()),
    ]);
  }

  /** Records diagnostics and returns the outcome of the visit. */
  report(diagnostics: readonly Diagnostic[]): "done" | "failed" {
    if (diagnostics.length === 0) return "done";
    // An interrupted run reports its interruption once, so cancelled requests are not reported too.
    const isInterrupted = this.purpose === "read" && this.context.stop?.aborted === true;
    const reported = isInterrupted ? diagnostics.filter(isNotCancellation) : diagnostics;
    const { sensitive } = this.context;
    const located = reported.map((one) => withPosition(one, this.context.configuration));
    this.diagnostics.push(
      ...(sensitive === undefined ? located : located.map((one) => redactDiagnostic(one, sensitive))),
    );
    return hasErrors(diagnostics) ? "failed" : "done";
  }

  /**
   * Replaces errors about refused containers by one error about the token, if a provider got only refusals.
   *
   * @param answered returns the addresses of the managed objects that the run has read or planned
   */
  async blameToken(answered: () => readonly string[]): Promise<void> {
    const { stop, failFast, configuration } = this.context;
    // A run that ended early has read too few objects to blame the token.
    if (!hasRefused(this.diagnostics) || stop?.aborted || failFast) return;
    const { providers, resources } = configuration;
    const types = [...resources.values()].map(({ address, mode, type, provider }) => ({
      address,
      mode,
      type,
      provider,
    }));
    await blameToken(this.diagnostics, answered(), {
      types: new Map(types.map((one) => [one.address, one])),
      only: providers.size === 1 ? [...providers.keys()][0] : undefined,
      configured: (key) => this.configured(key),
    });
  }

  /** Turns an exception of a visit into a failure, so that all other results are still reported and saved. */
  guard<T>(address: string, visit: () => Resolution<T>): Resolution<T | "done" | "failed"> {
    return withRecovery<T | "done" | "failed">(visit, (problem) => this.recover(address, problem));
  }

  /** Reports the exception of a visit. */
  recover(address: string, problem: unknown): "done" | "failed" {
    if (problem instanceof DiagnosticError) return this.report(problem.diagnostics);
    this.context.onFault?.(problem);
    return this.report([internalError(problem, address)]);
  }

  /**
   * Returns the source address of a provider. `key` is the key of a provider configuration, such as `steward` or `steward.eu`.
   */
  source(key: string): string {
    return this.#providers.source(key);
  }

  hasSource(source: string): boolean {
    return this.#providers.hasSource(source);
  }

  providerFor(key: string): Provider | undefined {
    return this.#providers.find(key);
  }

  /** Returns the schema of a type. The type must have been checked before. */
  schema({ mode, type, provider }: OfType): ResourceSchema {
    return this.#providers.schema(mode, type, provider);
  }

  /** Returns the configured provider. The walk must have visited the node of the provider before. */
  configured(key: string): ConfiguredProvider {
    return this.#configured.get(key)!;
  }

  /** Announces to a provider the reads of these objects and of all declared data sources. */
  expectReads(key: string, objects: readonly ExpectedRead[]): void {
    const declared = [...this.context.configuration.resources.values()];
    const sources = declared.filter(({ mode, provider }) => mode === "data" && provider === key);
    this.configured(key).expectReads?.(objects, [...new Set(sources.map(({ type }) => type))]);
  }

  visitLocal(address: string, expression: Expression): "done" | "failed" {
    const { value, diagnostics } = this.evaluation.evaluate(
      expression,
      { address, construct: undefined },
      [],
    );
    this.evaluation.set(address, value ?? unknown(DYNAMIC));
    return this.report(diagnostics);
  }

  /** Validates the configuration of a provider and, if `isConnecting`, creates the client of this provider. */
  visitProvider(
    { key, declaration }: Pick<Extract<Declared, { kind: "provider" }>, "key" | "declaration">,
    isConnecting = true,
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
    const { parallelism: maxConcurrency, onRequest, rightsKnown, env = {} } = this.context;
    const access = this.#reportOf(key);
    const configured = provider.configure(config, {
      ...(maxConcurrency !== undefined && { maxConcurrency }),
      env,
      ownership: this.#ownership,
      ...(rightsKnown && { rights: once(rightsKnown, key, () => new Map<string, unknown>()) }),
      ...(access && { access }),
      ...this.#requestSignals(),
      ...(onRequest && { onRequest }),
    });
    if (configured.provider !== undefined) this.#configured.set(key, configured.provider);
    return this.report([...found, ...configured.diagnostics.map((one) => ({ ...locate(site), ...one }))]);
  }

  /**
   * Returns the options of the access report, if a provider can start the reads for this report while it plans; otherwise
   * undefined. If the run imports existing objects or reads no object of the state, the provider can't know which objects are
   * new. If a provider has several configurations, no read starts early, because one configuration reads for all configurations
   * after the plan.
   */
  #reportOf(key: string): RunOptions["access"] {
    const { access, importsExisting, refresh, configuration } = this.context;
    if (!access || importsExisting || refresh === false) return undefined;
    const keys = new Set([...configuration.resources.values()].map(({ provider }) => provider));
    if ([...keys].some((other) => other !== key && this.source(other) === this.source(key))) return undefined;
    return access === "brief" ? { maxReads: BRIEF_READS } : {};
  }

  /**
   * Returns the signals that abort requests. A run that only reads has nothing to save, so such a run ends at once.
   */
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

/** Returns the problems of `import`, `moved` and `removed` blocks. */
function blockProblems({ imports, moves, removals, resources }: Configuration): Diagnostic[] {
  if (imports.length + moves.length + removals.size === 0) return [];
  const declared = [...resources.values()].map(({ address, construct }) => ({ address, construct }));
  return checkBlocks({ imports, moves, removals }, new Map(declared.map((one) => [one.address, one])));
}

const isNotCancellation = ({ code }: Diagnostic): boolean => code !== "cancelled";

/** Returns the diagnostic for an unexpected exception. */
export const internalError = (problem: unknown, address?: string): Diagnostic =>
  error({
    code: "internal_error",
    summary: "Internal error",
    detail:
      `An unexpected problem occurred: ${problem instanceof Error ? problem.message : String(problem)}. ` +
      "This is a bug in Steward, not in your configuration. Please report it with the output of STEWARD_LOG=debug.",
    ...(address !== undefined && { address }),
  });

/** Returns the error of a run that was interrupted before all objects were read. */
export const interruptedRead = (): Diagnostic =>
  error({
    code: "interrupted",
    summary: "Interrupted",
    detail: "The run was interrupted before every object was checked. Run the command again.",
  });

type Visit<N> = (node: N, id: string) => Resolution<Visited>;
type Kind = Exclude<Declared["kind"], "local">;

/**
 * The functions that a walk calls for each kind of declaration. Without a function for providers, the walk configures each
 * provider. Declarations of all other kinds without a function are done at once.
 */
export type Visitor = { readonly [K in Kind]?: Visit<Extract<Declared, { readonly kind: K }>> };

/** Visits a node. Locals are evaluated in every walk. */
export function visitNode(run: StackRun, visitor: Visitor, id: string, node: Node): Resolution<Visited> {
  const declared = declarationOf(run.context.configuration, id, node);
  if (declared.kind === "local") return run.visitLocal(id, declared.expression);
  const visit = visitor[declared.kind] as Visit<Declared> | undefined;
  if (visit !== undefined) return visit(declared, id);
  return declared.kind === "provider" ? run.visitProvider(declared) : "done";
}

/** Walks a graph. An error of a visit fails only this visit, and all other nodes are still visited. */
export const walkGuarded = <N>(
  run: StackRun,
  graph: Graph<N>,
  visit: (id: string, node: N) => Resolution<Visited>,
  options: Partial<WalkOptions> = {},
): ReturnType<typeof walk> =>
  walk(graph, visit, {
    concurrency: VISIT_CONCURRENCY,
    recover: (id, problem) => run.recover(id, problem),
    ...options,
  });

/** Returns the options of a walk that the user can limit and interrupt. */
export function limitsOfWalk({ context }: Pick<StackRun, "context">): WalkOptions {
  const { parallelism = 0, stop: signal, failFast } = context;
  return { concurrency: Math.max(parallelism, VISIT_CONCURRENCY), signal, failFast };
}
