import { groups } from "./groups";
import { openDispatcher } from "./http/dispatcher";
import { Sender } from "./http/sender";
import { jobTokenScope } from "./job-token-scope";
import type { ClientOptions } from "./options";
import { projects } from "./projects";
import { protectedEnvironments } from "./protected-environments";
import { readAddress, readConnection, readPace, readToken } from "./settings";
import { users } from "./users";

/** Connections at the most when the number of requests at once adapts by itself. */
const WIDEST = 50;

/**
 * Makes a client of the whole interface. Nothing is sent before the first call, and undici is not loaded
 * before it either. One client is meant to be shared: its calls keep one limit of requests at the same time.
 *
 * @throws ConfigurationError when an option can't be used, or the address or the token is missing
 */
export function createClient(options: ClientOptions = {}) {
  const env = options.env ?? process.env;
  const address = readAddress(options, env);
  const token = readToken(options, env);
  const pace = readPace(options);
  const connection = readConnection(options, env, address.origin, pace.maxConcurrency ?? WIDEST);
  const sender = new Sender({
    prefix: address.prefix,
    requestTimeout: pace.requestTimeout,
    maxAnswerBytes: pace.maxAnswerBytes,
    authentication: token === undefined ? [] : authentication(token, options.authScheme),
    redact: (text) => (token === undefined ? text : text.replaceAll(token, "[token]")),
    open: () => openDispatcher(connection),
    signal: options.signal,
    onEvent: options.onEvent,
  });
  return {
    jobTokenScope: jobTokenScope(sender),
    protectedEnvironments: protectedEnvironments(sender),
    users: users(sender),
    projects: projects(sender),
    groups: groups(sender),
    /** Closes the connections once the calls under way have ended. */
    close: () => sender.close(),
  };
}

const authentication = (token: string, scheme: ClientOptions["authScheme"] = "private-token"): string[] =>
  scheme === "bearer" ? ["authorization", `Bearer ${token}`] : ["private-token", token];

/** The whole interface, an area at a time. */
export type Client = ReturnType<typeof createClient>;
