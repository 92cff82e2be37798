import {
  AdaptiveLimit,
  createDispatcher,
  fixedLimit,
  jitteredRetries,
  MAX_LIMIT,
  RequestLimiter,
  RequestSender,
  systemClock,
} from "../http";
import { clientOf } from "./areas";
import { OperationSender, type RehearsedChange } from "./calls/operation-sender";
import { readAddress, readConnection, readLimits, readToken } from "./client-settings";
import { CLIENT_DEFAULTS } from "./defaults";
import type { ApiError } from "./errors";
import type { ClientOptions } from "./options";
import { refusalCode } from "./refusal-codes";

/** A project moves once or twice; more redirects indicate a loop. */
const MAX_REDIRECTS = 5;

/** Exported by `index.ts` under the same name; loads undici with the first call. */
export function createClient(options: ClientOptions = {}) {
  const env = options.env ?? process.env;
  const root = readAddress(options, env);
  const token = readToken(options, env);
  const pace = readLimits(options);
  const connection = readConnection(options, env, root.origin, pace.maxConcurrency ?? MAX_LIMIT);
  const redact = redactToken(token);
  const clock = options.clock ?? systemClock;
  const limiter = new RequestLimiter(
    pace.maxConcurrency === undefined ? new AdaptiveLimit() : fixedLimit(pace.maxConcurrency),
    clock,
    (pause) => options.onEvent?.({ type: "rate_limit", ...pause }),
    options.pace,
  );
  const requestSender = new RequestSender(
    {
      root,
      ...pace,
      retry: jitteredRetries(pace),
      maxRedirects: MAX_REDIRECTS,
      redact,
      refusalCode,
      open: () => createDispatcher(connection),
      clock,
      stop: options.stop,
      onEvent: options.onEvent,
    },
    limiter,
  );
  const sender = new OperationSender(
    {
      home: root,
      authentication: token === undefined ? [] : authentication(token, options.authScheme),
      redact,
      signal: options.signal,
      repeatWrites: options.repeatWrites ?? true,
      retryDelay: pace.retryDelay,
    },
    requestSender,
  );
  return {
    ...clientOf(sender, options),
    /** The API's root URL without a trailing slash: `https://git.example.com/api/v4`. */
    address: `${root.origin}${root.prefix}`,
    /** Maximum number of attempts of one change. */
    maxAttempts: pace.maxAttempts,
    /**
     * Waits before a change with a lost response is verified after its `attempt`th attempt; returns false at
     * once if the service announces a pause of more than five minutes. @throws CancelledError
     */
    pauseBeforeVerify: (lost: ApiError, attempt: number) => sender.pauseBeforeVerify(lost, attempt),
    /** A client of the same connections that records changes and does not send them. */
    rehearsing: (rehearse: (change: RehearsedChange) => void) =>
      clientOf(sender.rehearsing(rehearse), options),
    /** Closes the connections after the calls in flight have ended. */
    close: () => sender.close(),
  };
}

/** Removes the token from a text, also in JSON and URL encoding. */
function redactToken(token: string | undefined): (text: string) => string {
  if (token === undefined) return (text) => text;
  const encodings = new Set([token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]);
  return (text) => [...encodings].reduce((left, encoding) => left.replaceAll(encoding, "[token]"), text);
}

const authentication = (
  token: string,
  scheme: ClientOptions["authScheme"] = CLIENT_DEFAULTS.authScheme,
): string[] => (scheme === "bearer" ? ["authorization", `Bearer ${token}`] : ["private-token", token]);

/** The client, with one member for each area of the API. */
export type Client = ReturnType<typeof createClient>;
