// The platform's REST API as typed operations: paths, token header, records and errors. Retries, limits and pages are
// in `http`; declarations are in `provider`.

import type { createClient as makeClient } from "./client";

export { type ClientEvent, type Clock, type EventListener, type RecordList, RequestPace } from "../http";
export type * from "./area-types";
export type { CallOptions, Reference } from "./calls/operation";
export { KnownTokens } from "./calls/token-check";
export type { Client } from "./client";
export * from "./errors";
export { CLIENT_DEFAULTS, type ClientOptions } from "./options";
export type { ClientWarning } from "./token-file";

/**
 * Creates a client of the whole API. The client sends nothing before the first call. The first call also loads the
 * response schemas, because their loading takes a third of the startup time. Use one client for all calls, because only
 * the calls of one client share a concurrency limit.
 *
 * @throws ConfigurationError if an option is invalid, or the address or the token is missing
 */
export const createClient: typeof makeClient = (options) => {
  const { createClient: create }: typeof import("./client") = require("./client");
  return create(options);
};
