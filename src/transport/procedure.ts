/** What a procedure may know of its call. */
export interface CallContext {
  /** Aborted once nobody waits for the answer any more: the client cancelled or hung up, or its deadline passed. */
  readonly signal: AbortSignal;
}

/** One request, one answer, both as bytes. Whatever it throws is answered as an internal error. */
export interface Unary {
  readonly kind: "unary";
  readonly answer: (request: Buffer, context: CallContext) => Uint8Array | Promise<Uint8Array>;
}

/**
 * One request, any number of answers. The next answer is asked for once the client takes more, so that what a slow client
 * leaves unread stays bounded. After a cancellation no answer is asked for: the iterator is returned, and one that waits for
 * something else has to look at the signal. Whatever it throws ends the stream as an internal error.
 */
export interface ServerStreaming {
  readonly kind: "server-streaming";
  readonly answer: (request: Buffer, context: CallContext) => AsyncIterable<Uint8Array>;
}

/** A stream that stays open and silent until the client ends it. What the client sends on it is discarded. */
export interface Idle {
  readonly kind: "idle";
}

/** What a server does when a client calls a path. */
export type Procedure = Unary | ServerStreaming | Idle;

/** Procedures by their paths, such as `/package.Service/Method`. */
export type Procedures = ReadonlyMap<string, Procedure>;
