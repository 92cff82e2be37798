import { HttpProxy } from "../../support/http-proxy";

interface Window {
  left: number;
  /** The time at which the window ends, in seconds since the epoch. */
  resetsAt: number;
}

/** A proxy that limits the requests of each token. */
export interface LimitedProxy {
  readonly url: string;
  /** The number of all requests, and the number of requests that the proxy refused. */
  readonly counts: { sent: number; refused: number };
  close(): void;
}

/**
 * Starts a proxy that accepts `requests` requests of each token, and then refuses all requests for `seconds` to `2 *
 * seconds`. Each accepted request extends the window, so that slow machines also reach the limit.
 */
export async function limitedProxy(target: string, requests: number, seconds = 2): Promise<LimitedProxy> {
  const windows = new Map<string, Window>();
  const counts = { sent: 0, refused: 0 };
  const now = () => Date.now() / 1000;
  const later = () => (Math.floor(now() / seconds) + 2) * seconds;
  const proxy = new HttpProxy(target, async (passage) => {
    const token = String(passage.incoming.headers["private-token"]);
    const known = windows.get(token);
    const window =
      known !== undefined && known.resetsAt > now() ? known : { left: requests, resetsAt: later() };
    windows.set(token, window);
    counts.sent += 1;
    if (window.left === 0) {
      counts.refused += 1;
      return passage.refuse(429, "429 Too Many Requests", { "retry-after": String(2 * seconds) });
    }
    window.left -= 1;
    const { status, headers, body } = await passage.forward();
    if (window.left > 0) window.resetsAt = later();
    const limit = {
      "ratelimit-limit": String(requests),
      "ratelimit-remaining": String(window.left),
      "ratelimit-reset": String(window.resetsAt),
    };
    passage.answer({ status, headers: { ...headers, ...limit }, body });
  });
  return { url: await proxy.start(), counts, close: () => proxy.close() };
}
