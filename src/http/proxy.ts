import { ConfigurationError } from "./errors";
import { isLoopback } from "./plain-http";

export interface ProxySettings {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  /** Hosts that bypass the proxy, as NO_PROXY lists them. */
  readonly noProxy: string | undefined;
}

/**
 * The proxies of the environment; none if the origin is this machine, as in other clients.
 *
 * @throws ConfigurationError `invalid_option`
 */
export function readProxy(
  env: Readonly<Record<string, string | undefined>>,
  { protocol, hostname }: URL,
): ProxySettings | undefined {
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
