import { describeFileProblem, readFileSync, SMALL_FILE } from "../files";
import {
  AdaptiveLimit,
  type ApiRoot,
  ConfigurationError,
  type ConnectionSettings,
  createDispatcher,
  fixedLimit,
  type HttpErrorCode,
  type HttpResponse,
  isPlainHttpAllowed,
  jitteredRetries,
  jsonObject,
  MAX_LIMIT,
  pauseBeforeVerify,
  RequestLimiter,
  RequestSender,
  readProxy,
  systemClock,
  textOf,
} from "../http";
import { type ClientMembers, clientOf } from "./areas";
import { OperationSender, type RehearsedChange } from "./calls/operation-sender";
import { TokenCheck } from "./calls/token-check";
import type { ApiError } from "./errors";
import { CLIENT_DEFAULTS, type ClientOptions } from "./options";
import { type ClientWarning, checkTokenFile } from "./token-file";

/** Returns the error code of a refused request; undefined if the HTTP status determines the code. */
function refusalCode(answer: HttpResponse, serviceMessage: string): HttpErrorCode | undefined {
  const { status } = answer;
  // A 404 that is an HTML page came from a proxy, and does not prove that the object is missing.
  if (status === 404 && !isApiError(answer)) return "unexpected_answer";
  if (status === 403 && isScopeRefusal(answer)) return "insufficient_scope";
  if (status === 403 && isFeatureOff(serviceMessage)) return "feature_off";
  // The service reports an existing object in three ways: 400 for an allowlist, 409 for an environment, 422
  // for a taken pattern.
  if ([400, 409, 422].includes(status) && /\balready\b|\bbeen taken\b/i.test(serviceMessage))
    return "already_there";
  // If an allowlist entry to remove is missing, the service responds 400 instead of 404.
  if (status === 400 && /\bis not in the job token scope\b/i.test(serviceMessage)) return "not_found";
  return undefined;
}

/** Returns whether the body of a response is an error of the API: `{message}` or `{error}`. */
function isApiError(answer: HttpResponse): boolean {
  const body = jsonObject(answer);
  return body !== undefined && ("message" in body || "error" in body);
}

const FEATURE =
  /\b(?:features?|pages|registry|job tokens?|environments?|invitations?|templates?|licen[cs]e|tier|plan|subscription|premium|ultimate)\b/i;
const OFF =
  /\b(?:not (?:available|enabled|supported|included?|activated)|unavailable|disabled|(?:turned|switched) off|is off|requires? an? (?:higher |paid )?(?:premium|ultimate|licen[cs]e|subscription|tier|plan))\b/i;

/** Returns whether the message of a 403 response is about a feature that is disabled or not included in the licence. */
const isFeatureOff = (words: string): boolean =>
  FEATURE.test(words) && OFF.test(words) && !/\baccount\b/i.test(words);

/** Returns whether a 403 response is about the token's scopes. Any other 403 is about the user's role. */
function isScopeRefusal(answer: HttpResponse): boolean {
  return (
    textOf(answer).includes("insufficient_scope") ||
    String(answer.headers["www-authenticate"] ?? "").includes("insufficient_scope")
  );
}

/**
 * The maximum number of redirects of one request. A moved project causes one or two redirects; more than five redirects
 * indicate a loop.
 */
const MAX_REDIRECTS = 5;

/** The client, with one member for each area of the API. */
export interface Client extends ClientMembers {
  /** The root URL of the API without a trailing slash: `https://git.example.com/api/v4`. */
  readonly address: string;
  /** The maximum number of attempts of one change. */
  readonly maxAttempts: number;
  /** Warnings about the client's options. The client works despite these warnings. */
  readonly warnings: readonly ClientWarning[];
  /**
   * Waits until the caller can read the outcome of a change whose response was lost. `attempt` is the number of
   * times that the change was already sent. Returns false at once if the service announces a pause of more than five
   * minutes. @throws CancelledError
   */
  pauseBeforeVerify(lost: ApiError, attempt: number): Promise<boolean>;
  /** Waits for some milliseconds before a repeated read. Returns false if the run ends during the wait. */
  pause(milliseconds: number): Promise<boolean>;
  /**
   * Returns a client that sends reads over this client's connections, and calls `rehearse` instead of sending a
   * change.
   */
  rehearsing(rehearse: (change: RehearsedChange) => void): ClientMembers;
  /** Closes the connections after the calls in flight have ended. */
  close(): Promise<void>;
}

/** Creates a client. `index.ts` exports another `createClient`, whose first call loads undici. */
export function createClient(options: ClientOptions = {}): Client {
  const env = options.env ?? process.env;
  const root = readAddress(options, env);
  const { token, warnings } = readToken(options, env);
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
  const tokenCheck =
    token === undefined
      ? undefined
      : new TokenCheck(
          () => sender.askForUser(),
          options.knownTokens?.of(`${root.origin}${root.prefix}`, token),
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
      gate: tokenCheck,
      stop: options.stop,
      onEvent: options.onEvent,
    },
    limiter,
  );
  const sender: OperationSender = new OperationSender(
    {
      home: root,
      authentication: token === undefined ? [] : authentication(token, options.authScheme),
      redact,
      templatesPath: options.templatesPath ?? CLIENT_DEFAULTS.templatesPath,
      signal: options.signal,
      repeatWrites: options.repeatWrites ?? true,
      tokenCheck,
    },
    requestSender,
  );
  return {
    ...clientOf(sender),
    address: `${root.origin}${root.prefix}`,
    maxAttempts: pace.maxAttempts,
    warnings,
    async pauseBeforeVerify(lost, attempt) {
      const milliseconds = pauseBeforeVerify(lost, attempt, pace);
      if (milliseconds === undefined) return false;
      const signals = options.signal ? [options.signal] : [];
      await requestSender.pauseBeforeVerify(lost, milliseconds, attempt, signals);
      return true;
    },
    pause: (milliseconds) => requestSender.pause(milliseconds, options.signal ? [options.signal] : []),
    rehearsing: (rehearse) => clientOf(sender.rehearsing(rehearse)),
    close: () => requestSender.close(),
  };
}

/** Returns a function that removes the token from a text, even if the token is encoded for JSON or a URL. */
function redactToken(token: string | undefined): (text: string) => string {
  if (token === undefined) return (text) => text;
  const encodings = new Set([token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]);
  return (text) => [...encodings].reduce((left, encoding) => left.replaceAll(encoding, "[token]"), text);
}

const authentication = (
  token: string,
  scheme: ClientOptions["authScheme"] = CLIENT_DEFAULTS.authScheme,
): string[] => (scheme === "bearer" ? ["authorization", `Bearer ${token}`] : ["private-token", token]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the service's address from the options or the environment.
 *
 * @throws ConfigurationError `missing_base_url`, `invalid_option`, `plain_http_refused`
 */
function readAddress(options: ClientOptions, env: Environment): ApiRoot {
  const variable = env["STEWARD_BASE_URL"] ? "STEWARD_BASE_URL" : "CI_API_V4_URL";
  const [name, given] = options.baseUrl ? ["base_url", options.baseUrl] : [variable, env[variable]];
  if (!given) {
    throw new ConfigurationError({
      code: "missing_base_url",
      what: "Neither base_url, STEWARD_BASE_URL nor CI_API_V4_URL is set",
    });
  }
  const url = parseAddress(given, name);
  if (url.protocol === "http:" && !isPlainHttpAllowed(url, options.allowPlainHttp)) {
    throw new ConfigurationError({
      code: "plain_http_refused",
      what: `${name} uses plain HTTP to ${url.hostname}, which is not this machine`,
    });
  }
  const prefix = `${url.pathname.replace(/\/+$/, "").replace(/\/api\/v4$/, "")}/api/v4`;
  return { origin: url.origin, prefix };
}

/**
 * Matches a text that is certainly a host name (with a domain, or `localhost`), with an optional port and path.
 * Error messages show the given address only if this pattern matches. Any other text could be a token or contain a
 * password.
 */
const HOST = /^(?!gl[a-z]+-)(?:localhost|(?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d{1,5})?(?:\/[a-z0-9./-]*)?$/;

function parseAddress(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    const isWithoutScheme = HOST.test(text) && URL.canParse(`https://${text}`);
    throw invalid(
      isWithoutScheme
        ? `${name} is not an http or https URL: "${text}" has no scheme; write https://${text}`
        : `${name} is not an http or https URL`,
    );
  }
  // The message omits the value, because it may contain a password.
  if (url.username || url.password) throw invalid(`${name} contains a user name or password`);
  if (url.search || url.hash) throw invalid(`${name} has a query or a fragment`);
  return url;
}

interface GivenToken {
  /** The token; undefined for an anonymous client. */
  readonly token: string | undefined;
  readonly warnings: readonly ClientWarning[];
}

/** @throws ConfigurationError `missing_token`, `unreadable_file`, `token_file_permissions`, `invalid_option` */
function readToken(options: ClientOptions, env: Environment): GivenToken {
  if (options.anonymous) return { token: undefined, warnings: [] };
  const file = options.tokenFile || (options.token ? undefined : env["STEWARD_TOKEN_FILE"]);
  const given = options.token || (options.tokenFile ? undefined : env["STEWARD_TOKEN"]);
  const token = given || readFile(file, "token_file")?.trim();
  if (!token) {
    throw new ConfigurationError({
      code: "missing_token",
      what: "Neither token, token_file, STEWARD_TOKEN nor STEWARD_TOKEN_FILE is set",
    });
  }
  // The client checks the characters of the token here, because an error of undici could contain the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalid("the token contains characters that a header can't carry");
  const warning = given || !file ? undefined : checkTokenFile(file, env["CI"] === "true");
  return { token, warnings: warning === undefined ? [] : [warning] };
}

/** Returns the text of the file that an option names; undefined if the option is not set. */
function readFile(path: string | undefined, option: string): string | undefined {
  if (!path) return undefined;
  try {
    // The path must not be a pipe, because each client reads the file again.
    return readFileSync(path, { maxBytes: SMALL_FILE }).toString("utf8");
  } catch (error) {
    throw new ConfigurationError({
      code: "unreadable_file",
      what: `${option} ${path} can't be read: ${describeFileProblem(error)}`,
    });
  }
}

/** @throws ConfigurationError `unreadable_file`, `invalid_option` */
function readConnection(
  options: ClientOptions,
  env: Environment,
  origin: string,
  connections: number,
): ConnectionSettings {
  if (Boolean(options.clientCertFile) !== Boolean(options.clientKeyFile)) {
    const [given, missing] = options.clientCertFile
      ? ["client_cert_file", "client_key_file"]
      : ["client_key_file", "client_cert_file"];
    throw invalid(`${given} requires ${missing}`);
  }
  return {
    origin,
    connections,
    ca: readFile(options.caFile, "ca_file"),
    clientCertificate: readFile(options.clientCertFile, "client_cert_file"),
    clientKey: readFile(options.clientKeyFile, "client_key_file"),
    proxy: readProxy(env, new URL(origin)),
  };
}

/**
 * Reads the limits from the options, and converts the timeouts to milliseconds.
 * @throws ConfigurationError `invalid_option`
 */
const readLimits = (options: ClientOptions) => ({
  requestTimeout: milliseconds("request_timeout", options.requestTimeout ?? CLIENT_DEFAULTS.requestTimeout),
  totalTimeout: milliseconds("total_timeout", options.totalTimeout ?? CLIENT_DEFAULTS.totalTimeout),
  maxAttempts: positiveInteger("max_attempts", options.maxAttempts ?? CLIENT_DEFAULTS.maxAttempts),
  retryDelay: milliseconds("retry_delay", options.retryDelay ?? CLIENT_DEFAULTS.retryDelay),
  maxConcurrency:
    options.maxConcurrency === undefined
      ? undefined
      : positiveInteger("max_concurrency", options.maxConcurrency),
  maxAnswerBytes: positiveInteger(
    "max_answer_bytes",
    options.maxAnswerBytes ?? CLIENT_DEFAULTS.maxAnswerBytes,
  ),
});

// The longest time that an option can set, in seconds. Node.js lets a timer with a much longer time fire at once.
const MAX_SECONDS = 2_000_000;

function milliseconds(option: string, seconds: number): number {
  if (seconds > 0 && seconds <= MAX_SECONDS) return 1000 * seconds;
  throw invalid(`${option} is ${seconds}; it must be a number of seconds above 0, up to ${MAX_SECONDS}`);
}

function positiveInteger(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw invalid(`${option} is ${value}; it must be a positive integer`);
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError({ code: "invalid_option", what });
