import { oneLine } from "../../text";

export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** Route of the endpoint, such as `/projects/:id/pages`; undefined if none matched. */
  readonly route: string | undefined;
  /** `cut` if a fault closed the connection without a response. */
  readonly status: number | "cut";
  /** From the first byte of the request until the response is ready. */
  readonly milliseconds: number;
}

/** Receives each request when its response is ready, before the client sees it. */
export type Observer = (request: RecordedRequest) => void;

/** The requests since the start or the last `reset()`, in the order of their responses. */
export class RequestLog {
  readonly #all: RecordedRequest[] = [];

  get all(): readonly RecordedRequest[] {
    return this.#all;
  }

  /** Counts the requests of a method and route; a missing argument matches all. */
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

/** Takes one line without a line end. */
export type AccessLog = (line: string) => void;

/** Redacts tokens in URLs: they belong in a header. */
const withoutTokens = (url: string): string => url.replace(/([?&][^=&]*token[^=&]*=)[^&]*/gi, "$1[removed]");

/** Writes one line per request: time, method, URL, status, duration. */
export const accessLogger =
  (write: AccessLog): Observer =>
  ({ method, url, status, milliseconds }) =>
    write(
      oneLine(
        `${new Date().toISOString()} ${method} ${withoutTokens(url)} ${status} ${milliseconds.toFixed(1)}ms`,
      ),
    );
