import { causeOf, type Diagnostic, DiagnosticError } from "../diagnostics";
import type { ApplyRequest, ApplyResponse, ConfiguredProvider, Provider, RunOptions } from "../framework";
import type { ValueObject } from "../schema";
import { withoutNames } from "./hide-names";
import type { Secrets } from "./transport/secrets";

export interface SessionOptions {
  /** How requests are told of, and how many there may be at once. */
  readonly run: Omit<RunOptions, "signal" | "stop">;
  /** Learns what must not be written anywhere. */
  readonly secrets: Secrets;
  /** Once aborted, changes that are under way are given up as well. */
  readonly giveUp?: AbortSignal | undefined;
}

/**
 * What one connection of Terraform has configured. Provider aliases, and the walks of several commands, each have a
 * connection of their own, so no two of them share a client or what it read.
 */
export class Session {
  readonly provider: Provider;
  readonly #options: SessionOptions;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #changes = new Set<Promise<ApplyResponse>>();
  readonly #told = new Set<string>();
  #client: ConfiguredProvider | undefined;
  #refusal: readonly Diagnostic[] = [];

  constructor(provider: Provider, options: SessionOptions) {
    this.provider = provider;
    this.#options = options;
  }

  /** Makes the client. What it had read before is forgotten: a new configuration begins a new run. */
  async configure(config: ValueObject): Promise<readonly Diagnostic[]> {
    await this.close();
    this.#told.clear();
    const { giveUp, run } = this.#options;
    const { onRequest } = run;
    this.#options.secrets.learn(this.provider.schema.provider.attributes, config);
    const { provider, diagnostics } = this.provider.configure(config, {
      ...run,
      ...(onRequest && { onRequest: (event) => onRequest(withoutNames(event)) }),
      host: "terraform",
      signal: giveUp === undefined ? this.#abort.signal : AbortSignal.any([this.#abort.signal, giveUp]),
      stop: this.#stop.signal,
    });
    this.#client = provider;
    this.#refusal = provider === undefined ? diagnostics : [];
    return diagnostics;
  }

  /** @throws DiagnosticError while there is no client */
  get client(): ConfiguredProvider {
    if (this.#client !== undefined) return this.#client;
    if (this.#refusal.length > 0) throw new DiagnosticError(this.#refusal);
    throw new Error("Something was asked of the service before the provider was configured.");
  }

  /**
   * Tells a cause once in full: Terraform shows each error in a frame of its own, and one scope that is missing would fill
   * a screen for every object.
   */
  tellOnce(diagnostic: Diagnostic): Diagnostic {
    const cause = diagnostic.severity === "error" ? causeOf(diagnostic) : undefined;
    if (cause === undefined) return diagnostic;
    if (!this.#told.has(cause)) {
      this.#told.add(cause);
      return diagnostic;
    }
    const { action: _action, attribute: _attribute, ...rest } = diagnostic;
    return { ...rest, detail: "The cause is told in full with the first object of this run that met it." };
  }

  /** Applies a change. A stop waits for it. */
  async apply(request: ApplyRequest): Promise<ApplyResponse> {
    const change = this.client.applyResource(request);
    this.#changes.add(change);
    return change.finally(() => this.#changes.delete(change));
  }

  /**
   * Has everything that is under way stop as soon as it safely can: looking at once, and changing when what was sent is
   * answered; no more is sent. One whose answer is given up would leave an object that no state knows of.
   */
  stop(): void {
    this.#stop.abort();
    if (this.#changes.size === 0) this.#abort.abort();
    else void Promise.allSettled(this.#changes).then(() => this.stop());
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
  }
}
