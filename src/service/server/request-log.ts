import { oneLine } from "../../text";

export interface RecordedRequest {
  readonly method: string;
  /** The path and the query, as the client sent them. */
  readonly url: string;
  /** The route of the endpoint, such as `/projects/:id/pages`; undefined if no endpoint matched. */
  readonly route: string | undefined;
  /** The status of the response; `cut` if a fault closed the connection without a response. */
  readonly status: number | "cut";
  /** The time from the first byte of the request until the response was ready, in milliseconds. */
  readonly milliseconds: number;
}

/** A function that receives each request when its response is ready, before the client receives the response. */
export type Observer = (request: RecordedRequest) => void;

/** The requests after the start or after the last `reset()`, in the order of their responses. */
export class RequestLog {
  readonly #all: RecordedRequest[] = [];

  get all(): readonly RecordedRequest[] {
    return this.#all;
  }

  /** Counts the requests with a method and a route. A missing argument matches all requests. */
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

/** A function that gets one line of the access log, without a line end. */
export type AccessLog = (line: string) => void;

/** Redacts tokens in URLs. Clients should send tokens in a header, but some clients send tokens in the query. */
const withoutTokens = (url: string): string => url.replace(/([?&][^=&]*token[^=&]*=)[^&]*/gi, "$1[removed]");

/** Returns an observer that writes one line per request: time, method, URL, status and duration. */
export const accessLogger =
  (write: AccessLog): Observer =>
  ({ method, url, status, milliseconds }) =>
    write(
      oneLine(
        `${new Date().toISOString()} ${method} ${withoutTokens(url)} ${status} ${milliseconds.toFixed(1)}ms`,
      ),
    );
