import {
  AdaptiveLimit,
  createDispatcher,
  fixedLimit,
  type HttpErrorCode,
  type HttpResponse,
  jitteredRetries,
  MAX_LIMIT,
  pauseBeforeVerify,
  RequestLimiter,
  RequestSender,
  systemClock,
  textOf,
} from "../http";
import { type ClientMembers, clientOf } from "./areas";
import { OperationSender, type RehearsedChange } from "./calls/operation-sender";
import { readAddress, readConnection, readLimits, readToken } from "./client-settings";
import type { ApiError } from "./errors";
import { CLIENT_DEFAULTS, type ClientOptions } from "./options";

/** The code of a refusal that the status alone doesn't determine. */
function refusalCode(answer: HttpResponse, serviceMessage: string): HttpErrorCode | undefined {
  const { status } = answer;
  if (status === 403 && isScopeRefusal(answer)) return "insufficient_scope";
  if (status === 403 && isFeatureOff(serviceMessage)) return "feature_off";
  // "Already there" has three forms: 400 for an allowlist, 409 for an environment, 422 for a taken pattern.
  if ([400, 409, 422].includes(status) && /\balready\b|\bbeen taken\b/i.test(serviceMessage))
    return "already_there";
  // Removing a missing allowlist entry.
  if (status === 400 && /\bis not in the job token scope\b/i.test(serviceMessage)) return "not_found";
  return undefined;
}

const FEATURE =
  /\b(?:features?|pages|registry|job tokens?|environments?|invitations?|templates?|licen[cs]e|tier|plan|subscription|premium|ultimate)\b/i;
const OFF =
  /\b(?:not (?:available|enabled|supported|included?|activated)|unavailable|disabled|(?:turned|switched) off|is off|requires? an? (?:higher |paid )?(?:premium|ultimate|licen[cs]e|subscription|tier|plan))\b/i;

/** True when a 403 is about a disabled feature, or one that the licence doesn't include. */
const isFeatureOff = (words: string): boolean =>
  FEATURE.test(words) && OFF.test(words) && !/\baccount\b/i.test(words);

/** True when a 403 is about the token's scopes rather than the user's role. */
function isScopeRefusal(answer: HttpResponse): boolean {
  return (
    textOf(answer).includes("insufficient_scope") ||
    String(answer.headers["www-authenticate"] ?? "").includes("insufficient_scope")
  );
}

/** A project moves once or twice; more redirects indicate a loop. */
const MAX_REDIRECTS = 5;

/** The client, with one member for each area of the API. */
export interface Client extends ClientMembers {
  /** The API's root URL without a trailing slash: `https://git.example.com/api/v4`. */
  readonly address: string;
  /** Maximum number of attempts of one change. */
  readonly maxAttempts: number;
  /**
   * Waits before a change with a lost response is verified after its `attempt`th attempt; returns false at
   * once if the service announces a pause of more than five minutes. @throws CancelledError
   */
  pauseBeforeVerify(lost: ApiError, attempt: number): Promise<boolean>;
  /** A client of the same connections that records changes and does not send them. */
  rehearsing(rehearse: (change: RehearsedChange) => void): ClientMembers;
  /** Closes the connections after the calls in flight have ended. */
  close(): Promise<void>;
}

/** Exported by `index.ts` under the same name; loads undici with the first call. */
export function createClient(options: ClientOptions = {}): Client {
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
      templatesPath: options.templatesPath ?? CLIENT_DEFAULTS.templatesPath,
      signal: options.signal,
      repeatWrites: options.repeatWrites ?? true,
    },
    requestSender,
  );
  return {
    ...clientOf(sender),
    address: `${root.origin}${root.prefix}`,
    maxAttempts: pace.maxAttempts,
    async pauseBeforeVerify(lost, attempt) {
      const milliseconds = pauseBeforeVerify(lost, attempt, pace);
      if (milliseconds === undefined) return false;
      const signals = options.signal ? [options.signal] : [];
      await requestSender.pauseBeforeVerify(lost, milliseconds, attempt, signals);
      return true;
    },
    rehearsing: (rehearse) => clientOf(sender.rehearsing(rehearse)),
    close: () => requestSender.close(),
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
