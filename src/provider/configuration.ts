import { type ApiError, CLIENT_DEFAULTS, type Client, type ClientEvent, createClient } from "../api";
import type { Connection, RequestEvent, RunOptions } from "../framework";
import { type Attributes, optional, type ValueObject } from "../schema";

const seconds = (value: number): string | undefined =>
  value > 0 ? undefined : `${value} is not a time in seconds.`;
const count = (value: number): string | undefined =>
  Number.isInteger(value) && value > 0 ? undefined : `${value} is not a whole number above 0.`;

/** What can be said of the provider itself. Everything may be left out; the environment gives the rest. */
export const providerAttributes = {
  base_url: optional.string({
    description:
      "The address of the service, with or without `/api/v4`. By default `STEWARD_BASE_URL`, else `CI_API_V4_URL`.",
  }),
  token: optional.string({
    description:
      "The access token. By default `STEWARD_TOKEN`. It is sent in the request header and nowhere else.",
    sensitive: true,
  }),
  token_file: optional.string({
    description: "A file that holds the access token. By default `STEWARD_TOKEN_FILE`.",
  }),
  auth_scheme: optional.string({
    description: "How the token is sent: `private-token` or `bearer` (for OAuth 2.0 tokens).",
    impliedDefault: CLIENT_DEFAULTS.authScheme,
    check: (value) =>
      ["private-token", "bearer"].includes(value)
        ? undefined
        : `"${value}" is neither private-token nor bearer.`,
  }),
  ca_file: optional.string({ description: "A file with the certificates (PEM) of a private authority." }),
  client_cert_file: optional.string({
    description: "A file with a client certificate (PEM), for a service that asks for one.",
  }),
  client_key_file: optional.string({ description: "The file with the key (PEM) of the client certificate." }),
  allow_plain_http: optional.bool({
    description: "Whether the token may go over plain http to a host other than loopback.",
    impliedDefault: CLIENT_DEFAULTS.allowPlainHttp,
  }),
  request_timeout: optional.number({
    description: "How long one request may take, in seconds.",
    impliedDefault: CLIENT_DEFAULTS.requestTimeout,
    check: seconds,
  }),
  total_timeout: optional.number({
    description:
      "How long one request may take with all its retries, in seconds. Pauses that the service announces when its rate " +
      "limit is used up do not count; one of more than five minutes is an error.",
    impliedDefault: CLIENT_DEFAULTS.totalTimeout,
    check: seconds,
  }),
  max_attempts: optional.number({
    description:
      "How often a request is tried, the first time included. A change whose answer was lost is looked for before it is " +
      "sent again.",
    impliedDefault: CLIENT_DEFAULTS.maxAttempts,
    check: count,
  }),
  max_concurrency: optional.number({
    description:
      "How many requests may be under way at once. By default it adapts to the service, " +
      `from ${CLIENT_DEFAULTS.concurrency.first} up to ${CLIENT_DEFAULTS.concurrency.most}.`,
    check: count,
  }),
  templates_path: optional.string({
    description: "The word by which this service serves its CI/CD YAML templates.",
    impliedDefault: CLIENT_DEFAULTS.templatesPath,
    check: (word) =>
      /^[A-Za-z0-9_-]+$/.test(word)
        ? undefined
        : `${JSON.stringify(word)} is not one word of a path, such as ${CLIENT_DEFAULTS.templatesPath}.`,
  }),
} satisfies Attributes;

/** A connection for a configuration that is known, and a run. @throws ConfigurationError */
export function connect(
  config: ValueObject,
  { env, signal, stop, maxConcurrency, clock, onRequest }: RunOptions,
): Connection<Client> {
  const given = Object.fromEntries(
    Object.keys(providerAttributes)
      .filter((name) => (config[name] ?? null) !== null)
      .map((name) => [toCamelCase(name), config[name]]),
  );
  const client = createClient({
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(clock && { clock }),
    // What became of a change whose answer was lost is looked up before it is sent again.
    repeatWrites: false,
    ...given,
    ...(env && { env }),
    ...(signal && { signal }),
    ...(stop && { stop }),
    ...(onRequest && {
      onEvent: (event: ClientEvent) => {
        const told = toRequestEvent(event);
        if (told !== undefined) onRequest(told);
      },
    }),
  });
  const { address, maxAttempts } = client;
  return {
    client,
    address,
    maxAttempts,
    pauseBeforeLook: (problem, sent) => client.pauseBeforeLook(problem as ApiError, sent),
    close: () => client.close(),
  };
}

/** The client's events as hosts know them; nothing for what a host has no use for. */
function toRequestEvent(event: ClientEvent): RequestEvent | undefined {
  switch (event.type) {
    case "request":
      return { kind: "sent", method: event.method, path: event.path, attempt: event.attempt };
    case "answer": {
      const { method, path, status, milliseconds } = event;
      return { kind: "answered", method, path, status, milliseconds };
    }
    case "retry":
    case "rate_limit":
      return { kind: "waiting", milliseconds: event.milliseconds, reason: event.reason };
    case "redirect":
      return undefined;
  }
}

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
