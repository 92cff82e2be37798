import { causeOf, type Diagnostic, DiagnosticError, type RefusedContainer, warning } from "../diagnostics";
import {
  type ApplyRequest,
  type ApplyResponse,
  type ConfiguredProvider,
  type Provider,
  type RequestEvent,
  type Resolution,
  type RunOptions,
  tokenError,
} from "../framework";
import type { ValueObject } from "../schema";
import type { Secrets } from "./transport/log";
import { SeenObjects } from "./values/wire-value";

/** A response to Terraform about one object. */
interface Answer {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reports one error instead of one per object, if the service refuses the token for every object. Terraform requests
 * one object after the other. Responses about refused objects wait. The wait ends when another request succeeds, or
 * when all requests in progress wait.
 */
class RefusedToken {
  readonly #refused: RefusedContainer[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isAnswered = false;
  /**
   * The timer that waits for a request about a second container, while the service has refused only one container.
   */
  #grace: NodeJS.Timeout | undefined;
  #isOver = false;
  #blame: Promise<Diagnostic | undefined> | undefined;
  #isTold = false;

  constructor(private readonly provider: () => ConfiguredProvider) {}

  /**
   * Replaces the errors about refused objects in a response by one error about the token, if the service refuses the
   * token everywhere. All later responses get a warning instead of the error, because Terraform shows equal warnings
   * only once. The rest of the response stays as it is.
   *
   * @param isRead whether the response belongs to a read. A successful plan of a new object proves that the token
   * has some access. A failed plan proves nothing, because the declared name of the object's parent may be
   * misspelled
   */
  judge<A extends Answer>(asked: Resolution<A>, isRead: boolean): Resolution<A> {
    return this.#isAnswered ? asked : this.#judge(asked, isRead);
  }

  async #judge<A extends Answer>(asked: Resolution<A>, isRead: boolean): Promise<A> {
    this.#running++;
    try {
      const answer = await asked;
      const refused = answer.diagnostics.filter(({ refused }) => refused !== undefined);
      if (refused.length === 0 || !isRead) {
        this.#isAnswered ||= answer.diagnostics.every(({ severity }) => severity !== "error");
        return answer;
      }
      this.#refused.push(...refused.map((one) => one.refused!));
      await new Promise<void>((go) => {
        this.#waiting.push(go);
        this.#release();
      });
      const blame = await this.#error();
      if (blame === undefined) return answer;
      const rest = answer.diagnostics.filter((one) => !refused.includes(one));
      const isFollowing = this.#isTold;
      this.#isTold = true;
      return { ...answer, diagnostics: [...rest, isFollowing ? NOT_CHECKED : blame] };
    } finally {
      this.#running--;
      this.#release();
    }
  }

  /** Continues the waiting responses, if a request succeeded or if all requests in progress wait. */
  #release(): void {
    if (!this.#isAnswered && this.#waiting.length < this.#running) return;
    const isAlone = new Set(this.#refused.map(({ name }) => name)).size === 1;
    if (!this.#isAnswered && isAlone && !this.#isOver) {
      this.#grace ??= setTimeout(() => {
        this.#isOver = true;
        this.#release();
      }, GRACE_MS);
      return;
    }
    for (const go of this.#waiting.splice(0)) go();
  }

  async #error(): Promise<Diagnostic | undefined> {
    if (this.#isAnswered) return undefined;
    this.#blame ??= tokenError(this.#refused, this.provider(), "requested so far");
    const blame = await this.#blame;
    // A single refused container proves nothing, because it may have been deleted. The response about another container may
    // prove that the token is refused.
    if (blame === undefined) this.#blame = undefined;
    return blame;
  }
}

/**
 * The time to wait for a request about a second container, in milliseconds. Terraform requests objects one after the
 * other. A fast service refuses the first request before Terraform sends the second request.
 */
const GRACE_MS = 250;

const NOT_CHECKED = warning({
  code: "token_without_role",
  summary: "Not checked, kept in the state",
  detail: "The token can't read this object either: see the error about the token.",
});

/**
 * Redacts the names in the path of a request event, such as e-mail addresses. Terraform does not say to a provider
 * which values are sensitive, so each name counts as sensitive.
 */
export const redactNames = (
  event: RequestEvent,
  { redactPath }: Pick<Provider, "redactPath">,
): RequestEvent => ("path" in event && redactPath ? { ...event, path: redactPath(event.path) } : event);

export interface SessionOptions {
  /** The options of requests to the service, such as the receiver of their events and the limit of concurrent requests. */
  readonly run: Omit<RunOptions, "signal" | "stop">;
  /** The secrets that must not appear in any output. */
  readonly secrets: Secrets;
  /** A signal that also cancels changes in progress. */
  readonly cancel?: AbortSignal | undefined;
}

/**
 * The configuration of one connection from Terraform. Each provider alias and each command has separate connections.
 * Two aliases or commands therefore never share a client or a client's cache.
 */
export class Session {
  readonly seen = new SeenObjects();
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #changesInProgress = new Set<Promise<ApplyResponse>>();
  readonly #reportedCauses = new Set<string>();
  #token = new RefusedToken(() => this.client);
  #client: ConfiguredProvider | undefined;
  #refusal: readonly Diagnostic[] = [];

  constructor(
    readonly provider: Provider,
    private readonly options: SessionOptions,
  ) {}

  /** Creates the client. Drops cached reads, because a new configuration begins a new run. */
  async configure(config: ValueObject): Promise<readonly Diagnostic[]> {
    await this.close();
    this.#reportedCauses.clear();
    this.#token = new RefusedToken(() => this.client);
    const { cancel, run } = this.options;
    const { onRequest } = run;
    this.options.secrets.learn(this.provider.schema.provider.attributes, config);
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

  /**
   * Returns the client of this connection. @throws DiagnosticError if the configuration failed; Error if Terraform did
   * not configure the provider
   */
  get client(): ConfiguredProvider {
    if (this.#client !== undefined) return this.#client;
    if (this.#refusal.length > 0) throw new DiagnosticError(this.#refusal);
    throw new Error("Terraform requested an operation before it configured the provider.");
  }

  /**
   * Checks the response to a read, or to the plan of a new object. If the token is refused everywhere, the response to
   * a read reports the refused token.
   */
  judge<A extends Answer>(asked: Resolution<A>, isRead = false): Resolution<A> {
    return this.#token.judge(asked, isRead);
  }

  /**
   * Returns a diagnostic. If an earlier diagnostic had the same cause, the result has no details. Terraform shows
   * each error separately, so one missing scope would fill a screen for every object. Each error about an existing
   * object is one line with the id to import.
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
    return { ...rest, detail: "The first object of this run with this cause has the details." };
  }

  /** Applies a change. A stop waits for this change. */
  async apply(request: ApplyRequest): Promise<ApplyResponse> {
    const change = this.client.applyResource(request);
    this.#changesInProgress.add(change);
    return change.finally(() => this.#changesInProgress.delete(change));
  }

  /**
   * Stops the operations in progress: reads at once, and changes after the response of the service. After this call,
   * the session sends no more requests. Without the response to a change, Terraform could not record the changed
   * object in the state.
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
