import { rootCertificates } from "node:tls";
import type { Dispatcher, Pool } from "undici";
import type { ProxySettings } from "./proxy";

export interface ConnectionSettings {
  readonly origin: string;
  /** PEM texts. */
  readonly ca: string | undefined;
  /** Whether that authority alone is trusted, and not the public ones beside it. */
  readonly isAuthorityAlone?: boolean;
  /** Takes whatever certificate the service shows. */
  readonly skipVerification?: boolean;
  readonly clientCertificate: string | undefined;
  readonly clientKey: string | undefined;
  /** Left out where no proxy stands between. */
  readonly proxy: ProxySettings | undefined;
  /** Connections at the most. */
  readonly connections: number;
  /** Milliseconds without a byte of the answer, after which a try is given up; without a limit where it is left out. */
  readonly idleTimeout?: number;
}

const CONNECT_TIMEOUT = 10_000;

/**
 * Opens the way to one origin, not before the first request. undici's own entry point loads three times as
 * much as is needed (70 ms against 25 ms), so its pool is loaded by file; only a proxy needs the whole.
 */
export function openDispatcher(settings: ConnectionSettings): Dispatcher {
  const common = {
    connections: settings.connections,
    // An exchange has one timer of its own, from connecting to the last byte; 0 means that there is no other.
    headersTimeout: settings.idleTimeout ?? 0,
    bodyTimeout: settings.idleTimeout ?? 0,
  };
  const { ca } = settings;
  const proxyTls = {
    // A private authority comes on top of the public ones, or a proxy's certificate could not be checked.
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    timeout: CONNECT_TIMEOUT,
  };
  const tls = {
    ...proxyTls,
    ...(ca !== undefined && settings.isAuthorityAlone && { ca }),
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
  // The client certificate is for the service alone, not for the proxy.
  const ends = { requestTls: tls, proxyTls, connect: tls };
  return new EnvHttpProxyAgent({ ...common, ...ends, httpProxy, httpsProxy, noProxy });
}
