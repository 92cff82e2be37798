import { rootCertificates } from "node:tls";
import type { Dispatcher, Pool } from "undici";
import type { ProxySettings } from "./proxy";

export interface ConnectionSettings {
  readonly origin: string;
  /** PEM texts. */
  readonly ca: string | undefined;
  readonly clientCertificate: string | undefined;
  readonly clientKey: string | undefined;
  /** Left out where no proxy stands between. */
  readonly proxy: ProxySettings | undefined;
  /** Connections at the most. */
  readonly connections: number;
}

const CONNECT_TIMEOUT = 10_000;

/**
 * Opens the way to one origin, not before the first request. undici's own entry point loads three times as
 * much as is needed (70 ms against 25 ms), so its pool is loaded by file; only a proxy needs the whole.
 */
export function openDispatcher(settings: ConnectionSettings): Dispatcher {
  const common = {
    connections: settings.connections,
    // An exchange has one timer of its own, from connecting to the last byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const authorities = {
    // A private authority comes on top of the public ones, or a proxy's certificate could not be checked.
    ...(settings.ca !== undefined && { ca: [...rootCertificates, settings.ca] }),
    timeout: CONNECT_TIMEOUT,
  };
  const tls = {
    ...authorities,
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
  const ends = { requestTls: tls, proxyTls: authorities, connect: tls };
  return new EnvHttpProxyAgent({ ...common, ...ends, httpProxy, httpsProxy, noProxy });
}
