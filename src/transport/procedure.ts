/** One request, one answer, both as bytes. What it throws or rejects with is answered as an internal error. */
export interface Unary {
  readonly kind: "unary";
  readonly answer: (request: Buffer) => Uint8Array | Promise<Uint8Array>;
}

/** A stream that stays open and silent until the client ends it. What the client sends on it is discarded. */
export interface Idle {
  readonly kind: "idle";
}

/** What a server does when a client calls a path. */
export type Procedure = Unary | Idle;

/** Procedures by their paths, such as `/package.Service/Method`. */
export type Procedures = ReadonlyMap<string, Procedure>;
