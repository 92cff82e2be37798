/** One request with how it was answered. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** The endpoint it met, such as `/projects/:id/pages`; missing where none did. */
  readonly route: string | undefined;
  /** `cut` where a fault cut the connection instead of an answer. */
  readonly status: number | "cut";
  /** From the first byte of the request to the answer being ready. */
  readonly milliseconds: number;
}

/** Takes each request as soon as its answer is ready, before a client can see it. */
export type Observer = (request: RecordedRequest) => void;

/** The requests since the start or the last `reset()`, in the order in which they were answered. */
export class RequestLog {
  readonly #all: RecordedRequest[] = [];

  get all(): readonly RecordedRequest[] {
    return this.#all;
  }

  /** How many requests met this method and route; each counts where it is left out. */
  count(method?: string, route?: string): number {
    return this.#all.filter(
      (one) =>
        (method === undefined || one.method === method) && (route === undefined || one.route === route),
    ).length;
  }

  reset(): void {
    this.#all.length = 0;
  }

  record(request: RecordedRequest): void {
    this.#all.push(request);
  }
}
