import { StatusError } from "../errors";

/** The number of consecutive 401 responses after which a token that worked is checked. Some services send 401 for a missing role too. */
const FIRST_CHECK = 3;

/**
 * Finds out whether the service refuses the token everywhere. Without it, a run sends one request for each object. After a 401 to
 * the first request, or a few consecutive ones later, it requests the token's own user, which every token may read. No other
 * request is sent meanwhile.
 */
export class TokenCheck {
  #consecutive = 0;
  #threshold = 1;
  #asking: Promise<void> | undefined;
  #refusal: StatusError | undefined;

  /** @param ask sends the request for the token's user */
  constructor(private readonly ask: () => Promise<unknown>) {}

  /** The promise that a request awaits before it is sent. It is rejected with the refusal of the token. */
  get hold(): Promise<void> | undefined {
    return this.#refusal === undefined ? this.#asking : Promise.reject(this.#refusal);
  }

  /** Notes the outcome of a request: a success if there is no problem. */
  answered(problem?: unknown): void {
    if (!isUnauthorized(problem)) {
      if (problem !== undefined && !(problem instanceof StatusError)) return;
      this.#consecutive = 0;
      this.#threshold = Math.max(this.#threshold, FIRST_CHECK);
      return;
    }
    this.#consecutive += 1;
    if (this.#consecutive < this.#threshold || this.#isDecided) return;
    this.#asking = this.#check();
  }

  get #isDecided(): boolean {
    return this.#asking !== undefined || this.#refusal !== undefined;
  }

  async #check(): Promise<void> {
    try {
      await this.ask();
      this.#accept();
    } catch (problem) {
      if (isUnauthorized(problem)) this.#refusal = problem;
      else this.#accept();
    }
    this.#asking = undefined;
  }

  /** Doubles the threshold: the 401 responses are about something else. */
  #accept(): void {
    this.#consecutive = 0;
    this.#threshold = Math.max(this.#threshold, FIRST_CHECK) * 2;
  }
}

const isUnauthorized = (problem: unknown): problem is StatusError =>
  problem instanceof StatusError && problem.status === 401;
