import { rootCertificates } from "node:tls";
import type { Dispatcher, Pool } from "undici";
import { ConfigurationError } from "./errors";

/** True for a host name that can only be this machine: localhost, `*.localhost`, 127.0.0.0/8, `[::1]`. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);

/**
 * Whether plain HTTP is allowed to a URL: always to loopback; to other hosts if `allowed` is `true` or that
 * host's name.
 */
export const isPlainHttpAllowed = (url: URL, allowed: boolean | string | undefined): boolean =>
  isLoopback(url.hostname) || allowed === true || allowed === url.hostname || allowed === url.host;

/**
 * The proxies of the environment; none if the origin is this machine, as in other clients.
 *
 * @throws ConfigurationError `invalid_option`
 */
export function readProxy(env: Readonly<Record<string, string | undefined>>, { protocol, hostname }: URL) {
  const httpProxy = env["http_proxy"] || env["HTTP_PROXY"];
  const httpsProxy = env["https_proxy"] || env["HTTPS_PROXY"];
  const used = protocol === "https:" ? httpsProxy : httpProxy;
  if (!used || isLoopback(hostname)) return undefined;
  // The message omits the value: it may contain a password.
  if (!URL.canParse(used)) {
    const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
    throw new ConfigurationError({ code: "invalid_option", what: `${name} is not a valid URL` });
  }
  return { httpProxy, httpsProxy, noProxy: env["no_proxy"] || env["NO_PROXY"] };
}

export interface ConnectionSettings {
  readonly origin: string;
  /** PEM text. */
  readonly ca: string | undefined;
  /** Whether only this authority is trusted, without the public ones. */
  readonly isOnlyAuthority?: boolean;
  /** Accepts any server certificate. */
  readonly isVerificationSkipped?: boolean;
  readonly clientCertificate: string | undefined;
  readonly clientKey: string | undefined;
  /** Absent without a proxy. */
  readonly proxy: ReturnType<typeof readProxy>;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Milliseconds without a received byte after which an attempt fails; without a limit if absent. */
  readonly idleTimeout?: number;
}

const CONNECT_TIMEOUT = 10_000;

/**
 * Creates the connection pool of one origin with the first request. The pool is loaded by file, because undici's
 * main entry point takes 70 ms instead of 25 ms. Only a proxy needs all of undici.
 */
export function createDispatcher(settings: ConnectionSettings): Dispatcher {
  const common = {
    connections: settings.connections,
    // An exchange has its own timer from connecting to the last byte; 0 turns undici's timers off.
    headersTimeout: settings.idleTimeout ?? 0,
    bodyTimeout: settings.idleTimeout ?? 0,
  };
  const { ca } = settings;
  const proxyTls = {
    // The private authority is added to the public ones, which a proxy's certificate may need.
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    timeout: CONNECT_TIMEOUT,
  };
  const tls = {
    ...proxyTls,
    ...(ca !== undefined && settings.isOnlyAuthority && { ca }),
    ...(settings.isVerificationSkipped && { rejectUnauthorized: false }),
    ...(settings.clientCertificate !== undefined && { cert: settings.clientCertificate }),
    ...(settings.clientKey !== undefined && { key: settings.clientKey }),
  };
  if (settings.proxy === undefined) {
    const PoolByFile = require("undici/lib/dispatcher/pool") as typeof Pool;
    return new PoolByFile(settings.origin, { ...common, connect: tls });
  }
  const { EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  const { httpProxy = "", httpsProxy = "", noProxy = "" } = settings.proxy;
  // The client certificate is for the service, never for the proxy.
  const ends = { requestTls: tls, proxyTls, connect: tls };
  return new EnvHttpProxyAgent({ ...common, ...ends, httpProxy, httpsProxy, noProxy });
}
