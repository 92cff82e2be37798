import type { createClient as makeClient } from "./client";

export type { ClientEvent, Clock, EventListener, RecordList } from "../http";
export type * from "./areas";
export type { CallOptions, Reference } from "./calls/operation";
export type { Client } from "./client";
export { CLIENT_DEFAULTS } from "./defaults";
export * from "./errors";
export type { InvitationFailure, InvitationResult } from "./invitation-result";
export type { ClientOptions } from "./options";

/**
 * Makes a client of the whole interface. Nothing is sent before the first call, and what it takes is loaded only now:
 * the shapes of all answers would cost each process that asks nothing a third of its start. A client is meant to be
 * shared: its calls keep one limit of requests at the same time.
 *
 * @throws ConfigurationError when an option can't be used, or the address or the token is missing
 */
export const createClient: typeof makeClient = (options) => {
  const { createClient: make }: typeof import("./client") = require("./client");
  return make(options);
};
