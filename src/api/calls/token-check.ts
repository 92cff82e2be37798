import { createHash } from "node:crypto";
import { StatusError } from "../errors";

/** The number of consecutive 401 responses after which a token that worked is checked. Some services send 401 for a missing role too. */
const FIRST_CHECK = 3;

/** The responses to one token of a service so far. */
interface TokenRecord {
  consecutive: number;
  threshold: number;
  /** The check in progress. */
  asking: Promise<void> | undefined;
  refusal: StatusError | undefined;
}

const newToken = (): TokenRecord => ({
  consecutive: 0,
  threshold: 1,
  asking: undefined,
  refusal: undefined,
});

/** Records of tokens, for clients that share them: each stack of an app has a separate client. */
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
 * Finds out whether the service refuses the token everywhere. Without it, a run sends one request for each object. After a 401 to
 * the first request, or a few consecutive ones later, it requests the token's own user, which every token may read. No other
 * request is sent meanwhile.
 */
export class TokenCheck {
  /** @param ask sends the request for the token's user */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly token: TokenRecord = newToken(),
  ) {}

  /** The promise that a request awaits before it is sent. It is rejected with the refusal of the token. */
  get hold(): Promise<void> | undefined {
    const { refusal, asking } = this.token;
    return refusal === undefined ? asking : Promise.reject(refusal);
  }

  /** Notes the outcome of a request: a success if there is no problem. */
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

  /** Doubles the threshold: the 401 responses are about something else. */
  #accept(): void {
    const { token } = this;
    token.consecutive = 0;
    token.threshold = Math.max(token.threshold, FIRST_CHECK) * 2;
  }
}

const isUnauthorized = (problem: unknown): problem is StatusError =>
  problem instanceof StatusError && problem.status === 401;
