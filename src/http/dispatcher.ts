import { rootCertificates } from "node:tls";
import type { Dispatcher, Pool } from "undici";
import { ConfigurationError } from "./errors";

/** Returns whether a host name certainly means this machine: localhost, `*.localhost`, 127.0.0.0/8, `[::1]`. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);

/**
 * Returns whether plain HTTP to a URL is allowed. Plain HTTP to this machine is always allowed. For another host,
 * `allowed` must be `true` or the name of the host.
 */
export const isPlainHttpAllowed = (url: URL, allowed: boolean | string | undefined): boolean =>
  isLoopback(url.hostname) || allowed === true || allowed === url.hostname || allowed === url.host;

/**
 * Returns the proxies from the environment. For an origin on this machine, the function returns undefined: like
 * other clients, it uses no proxy there.
 *
 * @throws ConfigurationError `invalid_option`
 */
export function readProxy(env: Readonly<Record<string, string | undefined>>, { protocol, hostname }: URL) {
  const httpProxy = env["http_proxy"] || env["HTTP_PROXY"];
  const httpsProxy = env["https_proxy"] || env["HTTPS_PROXY"];
  const used = protocol === "https:" ? httpsProxy : httpProxy;
  if (!used || isLoopback(hostname)) return undefined;
  // The message omits the value, because it may contain a password.
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
  /** Whether the client trusts only the authority in `ca`, and not the public authorities. */
  readonly isOnlyAuthority?: boolean;
  /** Whether the client accepts every server certificate without a check. */
  readonly isVerificationSkipped?: boolean;
  readonly clientCertificate: string | undefined;
  readonly clientKey: string | undefined;
  /** The proxies to use; undefined if the client connects directly. */
  readonly proxy: ReturnType<typeof readProxy>;
  /** Maximum number of connections. */
  readonly connections: number;
  /** The time without a received byte after which an attempt fails, in milliseconds. If absent, there is no limit. */
  readonly idleTimeout?: number;
}

const CONNECT_TIMEOUT = 10_000;

/**
 * Creates the connection pool of one origin. The client calls this function before its first request. Without a proxy,
 * the function loads only the file of undici that contains the pool, in 25 ms. With a proxy, the function loads
 * undici's main entry point, in 70 ms.
 */
export function createDispatcher(settings: ConnectionSettings): Dispatcher {
  const common = {
    connections: settings.connections,
    // The value 0 turns the timers of undici off. Each exchange has its own timer, which runs from the connection
    // to the last byte.
    headersTimeout: settings.idleTimeout ?? 0,
    bodyTimeout: settings.idleTimeout ?? 0,
  };
  const { ca } = settings;
  const proxyTls = {
    // This adds the private authority to the public authorities, because the certificate of a proxy may need a public
    // authority.
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
  // Only the connection to the service uses the client certificate, never the connection to the proxy.
  const ends = { requestTls: tls, proxyTls, connect: tls };
  return new EnvHttpProxyAgent({ ...common, ...ends, httpProxy, httpsProxy, noProxy });
}
