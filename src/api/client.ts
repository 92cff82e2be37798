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
import { Sender } from "./calls/sender";
import { CLIENT_DEFAULTS } from "./defaults";
import type { ApiError } from "./errors";
import type { ClientOptions } from "./options";
import { refusalCode } from "./refusals";
import { readAddress, readConnection, readPace, readToken } from "./settings";

/** A project moves once or twice; more is a loop. */
const MAX_REDIRECTS = 5;

/** What the door of this room offers under the same name; undici is loaded by the first call only. */
export function createClient(options: ClientOptions = {}) {
  const env = options.env ?? process.env;
  const root = readAddress(options, env);
  const token = readToken(options, env);
  const pace = readPace(options);
  const connection = readConnection(options, env, root.origin, pace.maxConcurrency ?? MAX_LIMIT);
  const redact = redaction(token);
  const clock = options.clock ?? systemClock;
  const limiter = new RequestLimiter(
    pace.maxConcurrency === undefined ? new AdaptiveLimit() : fixedLimit(pace.maxConcurrency),
    clock,
    (pause) => options.onEvent?.({ type: "rate_limit", ...pause }),
  );
  const delivery = new RequestSender(
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
  const sender = new Sender(
    {
      home: root,
      authentication: token === undefined ? [] : authentication(token, options.authScheme),
      redact,
      signal: options.signal,
      repeatWrites: options.repeatWrites ?? true,
      retryDelay: pace.retryDelay,
    },
    delivery,
  );
  return {
    ...clientOf(sender, options),
    /** Where the service is, without a slash at the end: `https://git.example.com/api/v4`. */
    address: `${root.origin}${root.prefix}`,
    /** How often one change is sent at the most. */
    maxAttempts: pace.maxAttempts,
    /**
     * Waits before the caller looks whether a change was done whose answer was lost, `attempt` counting how often it was
     * sent; false at once where the service asks for a pause of more than five minutes. @throws CancelledError
     */
    pauseBeforeLook: (lost: ApiError, attempt: number) => sender.pauseBeforeLook(lost, attempt),
    /** Closes the connections once the calls under way have ended. */
    close: () => sender.close(),
  };
}

/** Takes the token out of a text, as it is and as JSON or an address writes it. */
function redaction(token: string | undefined): (text: string) => string {
  if (token === undefined) return (text) => text;
  const spellings = new Set([token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]);
  return (text) => [...spellings].reduce((left, spelling) => left.replaceAll(spelling, "[token]"), text);
}

const authentication = (
  token: string,
  scheme: ClientOptions["authScheme"] = CLIENT_DEFAULTS.authScheme,
): string[] => (scheme === "bearer" ? ["authorization", `Bearer ${token}`] : ["private-token", token]);

/** The whole interface, an area at a time. */
export type Client = ReturnType<typeof createClient>;
