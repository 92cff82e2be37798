import { createHash } from "node:crypto";
import type { RequestGate } from "../../http";
import { StatusError } from "../errors";

/**
 * The number of consecutive 401 responses after which a working token is checked. Some services also send 401
 * for a missing role.
 */
const FIRST_CHECK = 3;
/** The number of requests that are sent with a token before its first response. */
const BEFORE_FIRST_RESPONSE = 3;

/** The responses so far to one token of one service. */
interface TokenRecord {
  consecutive: number;
  threshold: number;
  /** The check in progress. */
  asking: Promise<void> | undefined;
  refusal: StatusError | undefined;
  /** Undefined after the first response to the token, or after the first failed request. */
  untried: Untried | undefined;
}

/** The state of a token without a response so far. */
interface Untried {
  sent: number;
  /** Resolves at the end of this state. */
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

/** The records of tokens. Clients share them, because each stack of an app has a separate client. */
export class KnownTokens {
  readonly #byName = new Map<string, TokenRecord>();

  /** The record of a token at an address. The token itself is not kept. */
  of(address: string, token: string): TokenRecord {
    const name = `${address} ${createHash("sha256").update(token).digest("base64")}`;
    const known = this.#byName.get(name) ?? newToken();
    this.#byName.set(name, known);
    return known;
  }
}

/**
 * Finds out whether the service refuses the token for every request. Without this check, a run would send one
 * request for each object. Before the first response, it lets only a few requests through. If the first
 * request gets a 401, or a few consecutive ones later, it requests the token's own user. Every token may read
 * its own user. No other request is sent during this check.
 */
export class TokenCheck implements RequestGate {
  /** @param ask sends the request for the token's user */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly token: TokenRecord = newToken(),
  ) {}

  /**
   * Holds requests back while the token has no response or is being checked. If the service refuses the
   * token, the promise rejects with the refusal.
   */
  enter(): Promise<void> | undefined {
    const { refusal, asking, untried } = this.token;
    if (refusal !== undefined) return Promise.reject(refusal);
    if (asking !== undefined || untried === undefined) return asking;
    if (untried.sent === BEFORE_FIRST_RESPONSE) return untried.over;
    untried.sent += 1;
    return undefined;
  }

  /** A 401 proves nothing yet: `answered` starts the check of the token. */
  leave(status: number | undefined): void {
    if (status !== 401) this.#endUntried();
  }

  /** Records the outcome of a request. Without a problem, the request succeeded. */
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

  /** Accepts the token, and doubles the threshold, because the 401 responses had another cause. */
  #accept(): void {
    const { token } = this;
    token.consecutive = 0;
    token.threshold = Math.max(token.threshold, FIRST_CHECK) * 2;
  }
}

const isUnauthorized = (problem: unknown): problem is StatusError =>
  problem instanceof StatusError && problem.status === 401;
