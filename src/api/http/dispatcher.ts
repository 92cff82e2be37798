import { rootCertificates } from "node:tls";
import type { Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { isLoopback } from "./loopback";

export interface ConnectionSettings {
  readonly origin: string;
  /** PEM texts. */
  readonly ca: string | undefined;
  readonly clientCertificate: string | undefined;
  readonly clientKey: string | undefined;
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  readonly noProxy: string | undefined;
  /** Connections at the most. */
  readonly connections: number;
}

const CONNECT_TIMEOUT = 10_000;

/**
 * Opens the way to one origin. undici's own entry point loads three times as much as is needed here
 * (70 ms against 25 ms), so its dispatchers are loaded by file, and not before the first request.
 */
export function openDispatcher(settings: ConnectionSettings): Dispatcher {
  const tls = {
    // A private authority comes on top of the public ones, or a proxy's certificate could not be checked.
    ...(settings.ca !== undefined && { ca: [...rootCertificates, settings.ca] }),
    ...(settings.clientCertificate !== undefined && { cert: settings.clientCertificate }),
    ...(settings.clientKey !== undefined && { key: settings.clientKey }),
  };
  const common = {
    connections: settings.connections,
    // An exchange has one timer of its own, from connecting to the last byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { ...tls, timeout: CONNECT_TIMEOUT },
  };
  if (!usesProxy(settings)) {
    const PoolClass = require("undici/lib/dispatcher/pool") as typeof Pool;
    return new PoolClass(settings.origin, common);
  }
  const ProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent") as typeof EnvHttpProxyAgent;
  const agent = new ProxyAgent({
    ...common,
    requestTls: { ...tls, timeout: CONNECT_TIMEOUT },
    proxyTls: { ...tls, timeout: CONNECT_TIMEOUT },
    httpProxy: settings.httpProxy ?? "",
    httpsProxy: settings.httpsProxy ?? "",
    noProxy: settings.noProxy ?? "",
  });
  return agent;
}

// The machine itself is never asked for through a proxy, as other clients do it.
const usesProxy = ({ origin, httpProxy, httpsProxy }: ConnectionSettings): boolean => {
  const { protocol, hostname } = new URL(origin);
  return !isLoopback(hostname) && Boolean(protocol === "https:" ? httpsProxy : httpProxy);
};
