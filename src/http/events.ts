/** What is the same in every event: which request it is about. `path` holds no query. */
interface EventFacts {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** 1 for the first try. */
  readonly attempt: number;
}

/** What a client tells while it works, for logs and progress. No event holds a header, a query, a body or the token. */
export type ClientEvent =
  | (EventFacts & { readonly type: "request" })
  | (EventFacts & { readonly type: "answer"; readonly status: number; readonly milliseconds: number })
  | (EventFacts & { readonly type: "redirect"; readonly to: string })
  | (EventFacts & { readonly type: "retry"; readonly milliseconds: number; readonly reason: string })
  /** Nothing is sent for this time, by any call of the client. */
  | { readonly type: "rate_limit"; readonly milliseconds: number; readonly reason: string };

export type EventListener = (event: ClientEvent) => void;
