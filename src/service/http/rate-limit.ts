import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { RateLimit } from "../settings";
import { HttpError } from "./errors";
import { tokenOf } from "./token";

interface Window {
  readonly endsAt: number;
  observed: number;
}

/** Who a request is counted for: its token, kept as a digest alone, or the address it comes from. */
function counted(request: FastifyRequest): string {
  const token = tokenOf(request.headers);
  return token === undefined ? `address ${request.ip}` : createHash("sha256").update(token).digest("base64");
}

/**
 * Makes the function that counts a request in fixed windows of time.
 *
 * @returns the headers that tell a client where it stands. It throws 429 with `Retry-After` beyond the limit.
 */
export function rateLimiter(limit: RateLimit): (request: FastifyRequest) => Record<string, string> {
  const windows = new Map<string, Window>();
  return (request) => {
    const now = Date.now();
    const who = counted(request);
    let window = windows.get(who);
    if (window === undefined || window.endsAt <= now) {
      for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
      window = { endsAt: now + limit.period * 1000, observed: 0 };
      windows.set(who, window);
    }
    window.observed += 1;
    const headers = {
      "RateLimit-Limit": String(limit.requests),
      "RateLimit-Observed": String(window.observed),
      "RateLimit-Remaining": String(Math.max(0, limit.requests - window.observed)),
      "RateLimit-Reset": String(Math.ceil(window.endsAt / 1000)),
    };
    if (window.observed <= limit.requests) return headers;
    // Never 0: a client that waits that long would be refused once more.
    const wait = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    throw new HttpError(
      429,
      { message: "429 Too Many Requests" },
      { ...headers, "Retry-After": String(wait) },
    );
  };
}
