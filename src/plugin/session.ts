import { causeOf, type Diagnostic, DiagnosticError } from "../diagnostics";
import type { ApplyRequest, ApplyResponse, ConfiguredProvider, Provider, RunOptions } from "../framework";
import type { ValueObject } from "../schema";
import { redactNames } from "./redact-names";
import { RefusedToken } from "./refused-token";
import type { Secrets } from "./transport/secrets";
import { SeenObjects } from "./values/seen-objects";

export interface SessionOptions {
  /** Receives the requests to the service; and how many may be in flight. */
  readonly run: Omit<RunOptions, "signal" | "stop">;
  /** Collects secrets that must not be written anywhere. */
  readonly secrets: Secrets;
  /** Cancels changes in progress as well. */
  readonly cancel?: AbortSignal | undefined;
}

/**
 * The configuration of one connection from Terraform. Provider aliases and the walks of several commands have
 * their own connections, so that no two of them share a client or its cache.
 */
export class Session {
  readonly provider: Provider;
  readonly seen = new SeenObjects();
  readonly #options: SessionOptions;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #changesInProgress = new Set<Promise<ApplyResponse>>();
  readonly #reportedCauses = new Set<string>();
  #token = new RefusedToken();
  #client: ConfiguredProvider | undefined;
  #refusal: readonly Diagnostic[] = [];

  constructor(provider: Provider, options: SessionOptions) {
    this.provider = provider;
    this.#options = options;
  }

  /** Creates the client. Cached reads are dropped: a new configuration begins a new run. */
  async configure(config: ValueObject): Promise<readonly Diagnostic[]> {
    await this.close();
    this.#reportedCauses.clear();
    this.#token = new RefusedToken();
    const { cancel, run } = this.#options;
    const { onRequest } = run;
    this.#options.secrets.learn(this.provider.schema.provider.attributes, config);
    const { provider, diagnostics } = this.provider.configure(config, {
      ...run,
      ...(onRequest && { onRequest: (event) => onRequest(redactNames(event, this.provider)) }),
      host: "terraform",
      signal: cancel === undefined ? this.#abort.signal : AbortSignal.any([this.#abort.signal, cancel]),
      stop: this.#stop.signal,
    });
    this.#client = provider;
    this.#refusal = provider === undefined ? diagnostics : [];
    return diagnostics;
  }

  /** @throws DiagnosticError without a configured client */
  get client(): ConfiguredProvider {
    if (this.#client !== undefined) return this.#client;
    if (this.#refusal.length > 0) throw new DiagnosticError(this.#refusal);
    throw new Error("Terraform requested an operation before it configured the provider.");
  }

  /** The answer to a read, or to the plan of a new object; a read by a token that is refused everywhere says that. */
  judge<A extends { readonly diagnostics: readonly Diagnostic[] }>(
    asked: A | Promise<A>,
    isRead = false,
  ): Promise<A> {
    return this.#token.judge(this.client, asked, isRead);
  }

  /**
   * Reports the details of a cause once: Terraform shows each error separately, and one missing scope would
   * fill a screen for every object. Of what exists each error is one line, with the id to import.
   */
  dedupeCauses(diagnostic: Diagnostic): Diagnostic {
    if (diagnostic.code === "already_exists") return withoutAction(diagnostic);
    const cause = diagnostic.severity === "error" ? causeOf(diagnostic) : undefined;
    if (cause === undefined) return diagnostic;
    if (!this.#reportedCauses.has(cause)) {
      this.#reportedCauses.add(cause);
      return diagnostic;
    }
    const { attribute: _attribute, ...rest } = withoutAction(diagnostic);
    return { ...rest, detail: "See the first object of this run with this cause for details." };
  }

  /** Applies a change; a stop waits for it. */
  async apply(request: ApplyRequest): Promise<ApplyResponse> {
    const change = this.client.applyResource(request);
    this.#changesInProgress.add(change);
    return change.finally(() => this.#changesInProgress.delete(change));
  }

  /**
   * Stops the operations in progress as soon as it is safe: reads at once, changes after their response;
   * nothing more is sent. A change whose response is dropped could leave an object that is in no state.
   */
  stop(): void {
    this.#stop.abort();
    if (this.#changesInProgress.size === 0) this.#abort.abort();
    else void Promise.allSettled(this.#changesInProgress).then(() => this.stop());
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
  }
}

function withoutAction({ action: _action, ...rest }: Diagnostic): Diagnostic {
  return rest;
}
