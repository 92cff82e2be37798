import { createHash } from "node:crypto";
import type { RequestGate } from "../../http";
import { StatusError } from "../errors";

/**
 * The number of consecutive 401 responses after which a working token is checked. Some services also send 401
 * for a missing role.
 */
const FIRST_CHECK = 3;
/** The maximum number of requests that are sent with a token before the first response arrives. */
const BEFORE_FIRST_RESPONSE = 3;

/** The facts about one token at one service, from all responses to requests with this token. */
interface TokenRecord {
  consecutive: number;
  threshold: number;
  /** The check of the token, if one is in progress. */
  asking: Promise<void> | undefined;
  refusal: StatusError | undefined;
  /**
   * The state of a token without a response. The field is undefined once the first response has arrived, or the first
   * request has failed without a response.
   */
  untried: Untried | undefined;
}

/** The state of a token before the first response to a request with this token. */
interface Untried {
  sent: number;
  /** A promise that resolves when the first response has arrived, or the first request has failed. */
  readonly over: Promise<void>;
  readonly end: () => void;
}

function untried(): Untried {
  let end: () => void;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { sent: 0, over, end: end! };
}

const newToken = (): TokenRecord => ({
  consecutive: 0,
  threshold: 1,
  asking: undefined,
  refusal: undefined,
  untried: untried(),
});

/**
 * The records of all tokens. Several clients use one `KnownTokens`, because each stack of an app has a separate
 * client.
 */
export class KnownTokens {
  readonly #byName = new Map<string, TokenRecord>();

  /** Returns the record of a token at an address. The class stores only a digest of the token. */
  of(address: string, token: string): TokenRecord {
    const name = `${address} ${createHash("sha256").update(token).digest("base64")}`;
    const known = this.#byName.get(name) ?? newToken();
    this.#byName.set(name, known);
    return known;
  }
}

/**
 * Finds out whether the service refuses the token for every request. Without the check of the token, a run would
 * send one request for each object. Before the first response, the check lets only a few requests through. The check
 * requests the token's user after a 401 to the first request, or later after a few consecutive 401 responses. Every
 * token may read this user. While this check runs, all other requests wait.
 */
export class TokenCheck implements RequestGate {
  /** @param ask sends the request for the token's user */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly token: TokenRecord = newToken(),
  ) {}

  /**
   * Returns undefined if a request may be sent now. Otherwise, returns a promise to wait for: the first response, or
   * the check of the token. For a refused token, the promise rejects with the refusal.
   */
  enter(): Promise<void> | undefined {
    const { refusal, asking, untried } = this.token;
    if (refusal !== undefined) return Promise.reject(refusal);
    if (asking !== undefined || untried === undefined) return asking;
    if (untried.sent === BEFORE_FIRST_RESPONSE) return untried.over;
    untried.sent += 1;
    return undefined;
  }

  /**
   * If the first response is not a 401, lets the waiting requests continue. After a 401, `answered` first starts the
   * check of the token.
   */
  leave(status: number | undefined): void {
    if (status !== 401) this.#endUntried();
  }

  /** Records the outcome of a request: the error of the request; undefined for success. */
  answered(problem?: unknown): void {
    const { token } = this;
    if (!isUnauthorized(problem)) {
      if (problem !== undefined && !(problem instanceof StatusError)) return;
      token.consecutive = 0;
      token.threshold = Math.max(token.threshold, FIRST_CHECK);
      return;
    }
    token.consecutive += 1;
    if (token.consecutive < token.threshold || this.#isDecided) return;
    token.asking = this.#check();
    this.#endUntried();
  }

  #endUntried(): void {
    const { untried } = this.token;
    this.token.untried = undefined;
    untried?.end();
  }

  get #isDecided(): boolean {
    return this.token.asking !== undefined || this.token.refusal !== undefined;
  }

  async #check(): Promise<void> {
    try {
      await this.ask();
      this.#accept();
    } catch (problem) {
      if (isUnauthorized(problem)) this.token.refusal = problem;
      else this.#accept();
    }
    this.token.asking = undefined;
  }

  /** Accepts the token, and doubles the threshold, because the token was not the cause of the 401 responses. */
  #accept(): void {
    const { token } = this;
    token.consecutive = 0;
    token.threshold = Math.max(token.threshold, FIRST_CHECK) * 2;
  }
}

const isUnauthorized = (problem: unknown): problem is StatusError =>
  problem instanceof StatusError && problem.status === 401;
