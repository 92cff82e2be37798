import { describeFileProblem, readFileSync, SMALL_FILE } from "../files";
import {
  type ApiRoot,
  ConfigurationError,
  type ConnectionSettings,
  isPlainHttpAllowed,
  readProxy,
} from "../http";
import { CLIENT_DEFAULTS, type ClientOptions } from "./options";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the service's address from the options or the environment.
 *
 * @throws ConfigurationError `missing_base_url`, `invalid_option`, `plain_http_refused`
 */
export function readAddress(options: ClientOptions, env: Environment): ApiRoot {
  const variable = env["STEWARD_BASE_URL"] ? "STEWARD_BASE_URL" : "CI_API_V4_URL";
  const [name, given] = options.baseUrl ? ["base_url", options.baseUrl] : [variable, env[variable]];
  if (!given) {
    throw new ConfigurationError({
      code: "missing_base_url",
      what: "base_url is not set, and neither is STEWARD_BASE_URL nor CI_API_V4_URL",
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
 * Matches a host name with a domain, or this machine, with port and path. Messages leave out any other value that is no URL: it
 * may contain a password, or be a token.
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
  // The message omits the value: it may contain a password.
  if (url.username || url.password) throw invalid(`${name} contains a user name or password`);
  if (url.search || url.hash) throw invalid(`${name} has a query or a fragment`);
  return url;
}

/**
 * Reads the token; undefined for an anonymous client.
 *
 * @throws ConfigurationError `missing_token`, `unreadable_file`, `invalid_option`
 */
export function readToken(options: ClientOptions, env: Environment): string | undefined {
  if (options.anonymous) return undefined;
  const file = options.tokenFile || (options.token ? undefined : env["STEWARD_TOKEN_FILE"]);
  const given = options.token || (options.tokenFile ? undefined : env["STEWARD_TOKEN"]);
  const token = given || readFile(file, "token_file")?.trim();
  if (!token) {
    throw new ConfigurationError({
      code: "missing_token",
      what: "token and token_file are not set, and neither is STEWARD_TOKEN nor STEWARD_TOKEN_FILE",
    });
  }
  // Checked before undici does: its error could contain the value.
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalid("the token contains characters that a header can't carry");
  return token;
}

/** The text of the file that an option names, if it is set. */
function readFile(path: string | undefined, option: string): string | undefined {
  if (!path) return undefined;
  try {
    // Not a pipe: each client reads the file again.
    return readFileSync(path, { maxBytes: SMALL_FILE }).toString("utf8");
  } catch (error) {
    throw new ConfigurationError({
      code: "unreadable_file",
      what: `the file of ${option}, ${path}, can't be read (${describeFileProblem(error)})`,
    });
  }
}

/** @throws ConfigurationError `unreadable_file`, `invalid_option` */
export function readConnection(
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

/** Timeouts and limits of a client; times in milliseconds. */
export interface Limits {
  readonly requestTimeout: number;
  readonly totalTimeout: number;
  readonly maxAttempts: number;
  readonly retryDelay: number;
  readonly maxConcurrency: number | undefined;
  readonly maxAnswerBytes: number;
}

/** @throws ConfigurationError `invalid_option` */
export function readLimits(options: ClientOptions): Limits {
  return {
    requestTimeout:
      1000 * positiveSeconds("request_timeout", options.requestTimeout, CLIENT_DEFAULTS.requestTimeout),
    totalTimeout: 1000 * positiveSeconds("total_timeout", options.totalTimeout, CLIENT_DEFAULTS.totalTimeout),
    maxAttempts: positiveInteger("max_attempts", options.maxAttempts) ?? CLIENT_DEFAULTS.maxAttempts,
    retryDelay: 1000 * positiveSeconds("retry_delay", options.retryDelay, CLIENT_DEFAULTS.retryDelay),
    maxConcurrency: positiveInteger("max_concurrency", options.maxConcurrency),
    maxAnswerBytes:
      positiveInteger("max_answer_bytes", options.maxAnswerBytes) ?? CLIENT_DEFAULTS.maxAnswerBytes,
  };
}

// Node's timers can't be longer, and would fire at once.
const MAX_SECONDS = 2_000_000;

function positiveSeconds(option: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (value > 0 && value <= MAX_SECONDS) return value;
  throw invalid(`${option} is ${value}; it must be a number of seconds above 0, up to ${MAX_SECONDS}`);
}

function positiveInteger(option: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return value;
  throw invalid(`${option} is ${value}; it must be a positive integer`);
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError({ code: "invalid_option", what });
