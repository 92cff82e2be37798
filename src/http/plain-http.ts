/** True for a host name that can only be this machine: localhost, `*.localhost`, 127.0.0.0/8, `[::1]`. */
export const isLoopback = (hostname: string): boolean =>
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
