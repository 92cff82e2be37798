import { rootCertificates } from "node:tls";
import type { Dispatcher, Pool } from "undici";
import type { ProxySettings } from "./proxy";

export interface ConnectionSettings {
  readonly origin: string;
  /** PEM text. */
  readonly ca: string | undefined;
  /** Whether only this authority is trusted, without the public ones. */
  readonly isOnlyAuthority?: boolean;
  /** Accepts any server certificate. */
  readonly skipVerification?: boolean;
  readonly clientCertificate: string | undefined;
  readonly clientKey: string | undefined;
  /** Absent without a proxy. */
  readonly proxy: ProxySettings | undefined;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Milliseconds without a received byte after which an attempt fails; without a limit if absent. */
  readonly idleTimeout?: number;
}

const CONNECT_TIMEOUT = 10_000;

/**
 * Creates the connection pool of one origin with the first request. undici's main entry point loads three
 * times as much as needed (70 ms against 25 ms), so the pool is loaded by file; only a proxy needs all of
 * undici.
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
    ...(settings.skipVerification && { rejectUnauthorized: false }),
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
