/** The request that an event is about. `path` has no query. */
interface RequestEvent {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** Events of a client, for logs and progress. No event holds a header, a query, a body or the token. */
export type ClientEvent =
  | (RequestEvent & { readonly type: "request" })
  | (RequestEvent & { readonly type: "answer"; readonly status: number; readonly milliseconds: number })
  | (RequestEvent & { readonly type: "redirect"; readonly to: string })
  | (RequestEvent & { readonly type: "retry"; readonly milliseconds: number; readonly reason: string })
  /** The client sends no request for this time. */
  | { readonly type: "rate_limit"; readonly milliseconds: number; readonly reason: string };

export type EventListener = (event: ClientEvent) => void;
