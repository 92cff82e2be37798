/** One request that the service answered. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** The endpoint it met, such as `/projects/:id/pages`; missing where none did. */
  readonly route: string | undefined;
  readonly status: number;
}

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
