import { describeFileProblem, readFileSync, SMALL_FILE } from "../files";
import {
  type ApiRoot,
  ConfigurationError,
  type ConnectionSettings,
  isPlainHttpAllowed,
  readProxy,
} from "../http";
import { CLIENT_DEFAULTS } from "./defaults";
import type { ClientOptions } from "./options";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the service's address from the options or the environment.
 *
 * @throws ConfigurationError `missing_base_url`, `invalid_option`, `plain_http_refused`
 */
export function readAddress(options: ClientOptions, env: Environment): ApiRoot {
  const [name, given] = givenAddress(options, env);
  if (!given) {
    throw new ConfigurationError({
      code: "missing_base_url",
      what: "there is no base_url, and neither STEWARD_BASE_URL nor CI_API_V4_URL",
    });
  }
  const url = parseAddress(given, name);
  if (url.protocol === "http:" && !isPlainHttpAllowed(url, options.allowPlainHttp)) {
    throw new ConfigurationError({
      code: "plain_http_refused",
      what: `${name} is plain http to ${url.hostname}, which is not this machine`,
    });
  }
  const prefix = `${url.pathname.replace(/\/+$/, "").replace(/\/api\/v4$/, "")}/api/v4`;
  return { origin: url.origin, prefix };
}

/** The address, and what gave it, for messages. */
function givenAddress(
  { baseUrl }: ClientOptions,
  env: Environment,
): [name: string, address: string | undefined] {
  if (baseUrl) return ["base_url", baseUrl];
  const name = env["STEWARD_BASE_URL"] ? "STEWARD_BASE_URL" : "CI_API_V4_URL";
  return [name, env[name]];
}

function parseAddress(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw invalid(`${name} is not an http or https address`);
  }
  // Not repeated in the message: what stands there may be a password.
  if (url.username || url.password) throw invalid(`${name} holds a user name or password`);
  if (url.search || url.hash) throw invalid(`${name} has a query or a fragment`);
  return url;
}

/**
 * Finds the token; undefined for an anonymous client.
 *
 * @throws ConfigurationError `missing_token`, `unreadable_file`, `invalid_option`
 */
export function readToken(options: ClientOptions, env: Environment): string | undefined {
  if (options.anonymous) return undefined;
  const file = options.tokenFile || (options.token ? undefined : env["STEWARD_TOKEN_FILE"]);
  const token =
    options.token ||
    (options.tokenFile ? fromFile(options.tokenFile) : env["STEWARD_TOKEN"]) ||
    (file ? fromFile(file) : undefined);
  if (!token) {
    throw new ConfigurationError({
      code: "missing_token",
      what: "there is neither a token nor a token_file, and no STEWARD_TOKEN or STEWARD_TOKEN_FILE",
    });
  }
  // Checked before undici does, whose error could repeat the value.
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalid("the token holds characters that no header can carry");
  return token;
}

const fromFile = (path: string): string => readFile(path, "token_file").trim();

function readFile(path: string, option: string): string {
  try {
    // Each client reads it anew, and what a pipe gave is gone then.
    return readFileSync(path, { maxBytes: SMALL_FILE }).toString("utf8");
  } catch (error) {
    throw new ConfigurationError({
      code: "unreadable_file",
      what: `the file that ${option} names, ${path}, can't be read (${describeFileProblem(error)})`,
    });
  }
}

const readOptionalFile = (path: string | undefined, option: string): string | undefined =>
  path ? readFile(path, option) : undefined;

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
    throw invalid(`${given} is of no use without ${missing}`);
  }
  return {
    origin,
    connections,
    ca: readOptionalFile(options.caFile, "ca_file"),
    clientCertificate: readOptionalFile(options.clientCertFile, "client_cert_file"),
    clientKey: readOptionalFile(options.clientKeyFile, "client_key_file"),
    proxy: readProxy(env, new URL(origin)),
  };
}

/** Numbers that steer how a client treats the service; times in milliseconds. */
export interface Pace {
  readonly requestTimeout: number;
  readonly totalTimeout: number;
  readonly maxAttempts: number;
  readonly retryDelay: number;
  readonly maxConcurrency: number | undefined;
  readonly maxAnswerBytes: number;
}

/** @throws ConfigurationError `invalid_option` */
export function readPace(options: ClientOptions): Pace {
  return {
    requestTimeout:
      1000 * positive("request_timeout", options.requestTimeout, CLIENT_DEFAULTS.requestTimeout),
    totalTimeout: 1000 * positive("total_timeout", options.totalTimeout, CLIENT_DEFAULTS.totalTimeout),
    maxAttempts: whole("max_attempts", options.maxAttempts) ?? CLIENT_DEFAULTS.maxAttempts,
    retryDelay: 1000 * positive("retry_delay", options.retryDelay, CLIENT_DEFAULTS.retryDelay),
    maxConcurrency: whole("max_concurrency", options.maxConcurrency),
    maxAnswerBytes: whole("max_answer_bytes", options.maxAnswerBytes) ?? CLIENT_DEFAULTS.maxAnswerBytes,
  };
}

// A timer of Node can't be longer, and would fire at once.
const LONGEST_SECONDS = 2_000_000;

function positive(option: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (value > 0 && value <= LONGEST_SECONDS) return value;
  throw invalid(`${option} is ${value}; it is a number of seconds above 0, up to ${LONGEST_SECONDS}`);
}

function whole(option: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return value;
  throw invalid(`${option} is ${value}; it is a whole number from 1 up`);
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError({ code: "invalid_option", what });
