import {
  type ApiError,
  CLIENT_DEFAULTS,
  type Client,
  type Clock,
  ConfigurationError,
  createClient,
  KnownTokens,
  RequestPace,
} from "../api";
import { warning } from "../diagnostics";
import type { Connection, RunOptions } from "../framework";
import { defined, parseJson } from "../json";
import { type Attributes, once, optional, type ValueObject } from "../schema";
import { eitherOf, wordsOf } from "./define";

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = "STEWARD_MAX_REQUESTS_PER_MINUTE";

const inEnvironment = (env: Environment): number | undefined =>
  /^[1-9]\d{0,5}$/.test(env[VARIABLE] ?? "") ? Number(env[VARIABLE]) : undefined;

/**
 * Returns the request limit that all provider configurations of a run share: `perMinute`, or
 * STEWARD_MAX_REQUESTS_PER_MINUTE. If the value of the variable is invalid, the function returns undefined, and each
 * configuration reports the error.
 */
export function sharedPace(perMinute: number | undefined, env: Environment): RequestPace | undefined {
  const maximum = perMinute ?? inEnvironment(env);
  return maximum === undefined ? undefined : new RequestPace(maximum);
}

/**
 * Returns the request limit from the environment variable, for a run without a shared limit; undefined if the
 * variable is not set. @throws ConfigurationError `invalid_option`
 */
function paceOf(env: Environment, clock: Clock | undefined): RequestPace | undefined {
  if (!env[VARIABLE]) return undefined;
  const maximum = inEnvironment(env);
  if (maximum !== undefined) return new RequestPace(maximum, clock);
  throw new ConfigurationError({
    code: "invalid_option",
    what: `The value of ${VARIABLE} is not a whole number from 1 to 999999`,
  });
}

const seconds = (value: number): string | undefined =>
  value > 0 ? undefined : `${value} is not a number of seconds above 0.`;
const count = (value: number): string | undefined =>
  Number.isInteger(value) && value > 0 ? undefined : `${value} is not a whole number above 0.`;

const AUTH_SCHEMES = wordsOf(
  "AuthScheme",
  "The HTTP header that carries the token.",
  "private-token",
  "bearer",
);

/** The provider's attributes. All attributes are optional; environment variables supply omitted attributes. */
export const providerAttributes = {
  base_url: optional.string(
    "The URL of the service, with or without `/api/v4`. The default is the value of `STEWARD_BASE_URL`, or else of " +
      "`CI_API_V4_URL`.",
  ),
  token: optional.string({
    description:
      "The access token. The default is the value of `STEWARD_TOKEN`. Steward sends the token only in the request " +
      "header.",
    sensitive: true,
  }),
  token_file: optional.string(
    "The path of a file that contains the access token. The default is the value of `STEWARD_TOKEN_FILE`.",
  ),
  auth_scheme: optional.string({
    description: "The HTTP header that carries the token: `private-token`, or `bearer` for OAuth 2.0 tokens.",
    impliedDefault: CLIENT_DEFAULTS.authScheme,
    ...eitherOf(AUTH_SCHEMES),
  }),
  ca_file: optional.string(
    "The path of a file with the certificates (PEM) of a private certificate authority.",
  ),
  client_cert_file: optional.string(
    "The path of a file with a client certificate (PEM), if the service requires a client certificate.",
  ),
  client_key_file: optional.string(
    "The path of the file with the private key (PEM) of the client certificate.",
  ),
  allow_plain_http: optional.bool({
    description: "Whether the token may be sent over plain HTTP to a host other than loopback.",
    impliedDefault: CLIENT_DEFAULTS.allowPlainHttp,
  }),
  request_timeout: optional.number({
    description: "The timeout of one request, in seconds.",
    impliedDefault: CLIENT_DEFAULTS.requestTimeout,
    check: seconds,
  }),
  total_timeout: optional.number({
    description:
      "The timeout of one request including its retries, in seconds. Pauses that the service requests because of its " +
      "rate limit do not count. If the service requests a pause of more than five minutes, the request fails.",
    impliedDefault: CLIENT_DEFAULTS.totalTimeout,
    check: seconds,
  }),
  max_attempts: optional.number({
    description:
      "The maximum number of attempts of a request, including the first. If the response to a write was lost, " +
      "Steward checks the outcome of the write before it sends the write again.",
    impliedDefault: CLIENT_DEFAULTS.maxAttempts,
    check: count,
  }),
  max_concurrency: optional.number({
    description:
      "The maximum number of requests at the same time. By default, the number adapts to the service, " +
      `from ${CLIENT_DEFAULTS.concurrency.first} up to ${CLIENT_DEFAULTS.concurrency.most}.`,
    check: count,
  }),
  templates_path: optional.string({
    description: "The path segment under which this service serves its CI/CD YAML templates.",
    impliedDefault: CLIENT_DEFAULTS.templatesPath,
    check: (word) =>
      /^[A-Za-z0-9_-]+$/.test(word)
        ? undefined
        : `${JSON.stringify(word)} is not a single path segment, such as ${CLIENT_DEFAULTS.templatesPath}.`,
  }),
} satisfies Attributes;

/**
 * Creates the client of one configuration for one run. The configuration contains no unknown values. @throws
 * ConfigurationError
 */
export function connect(
  config: ValueObject,
  { env, signal, stop, maxConcurrency, pace, memory, clock, onRequest }: RunOptions,
): Connection<Client> {
  const given = Object.fromEntries(
    Object.keys(providerAttributes)
      .filter((name) => (config[name] ?? null) !== null)
      .map((name) => [toCamelCase(name), config[name]]),
  );
  const client = createClient({
    ...defined({ maxConcurrency, clock }),
    pace: pace ?? paceOf(env ?? process.env, clock),
    knownTokens: memory && (once(memory, "tokens", () => new KnownTokens()) as KnownTokens),
    // The client must not repeat a write after a lost response, because the framework first reads whether the
    // service executed the write.
    repeatWrites: false,
    ...given,
    ...defined({ env, signal, stop }),
    onEvent: (event) => {
      if (event.type !== "redirect") onRequest?.(event);
    },
  });
  const { address, maxAttempts, warnings } = client;
  return {
    client,
    address,
    maxAttempts,
    warnings: warnings.map((one) => warning(one)),
    pauseBeforeVerify: (problem, sent) => client.pauseBeforeVerify(problem as ApiError, sent),
    pause: (milliseconds) => client.pause(milliseconds),
    rehearsing: (record) => ({
      ...client,
      ...client.rehearsing(({ body, ...change }) =>
        record({ ...change, ...(body !== undefined && { body: parseJson(body) }) }),
      ),
    }),
    close: () => client.close(),
  };
}

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
