import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import { isKnownToken } from "../access/caller";
import { HttpError, unauthorized } from "../http/errors";
import type { RateLimit } from "../settings/settings";
import type { Database } from "../store/database";

/**
 * Returns the token of a request (specification, Authentication 1); undefined if the request has none. If both headers
 * contain a token, `PRIVATE-TOKEN` takes precedence over `Authorization`. Terraform's `http` backend sends only Basic
 * authentication, so endpoints of states accept the token as the password.
 *
 * @throws HttpError 401 for an `Authorization` header without a bearer token
 */
export function tokenOf(headers: IncomingHttpHeaders, isPasswordAllowed = false): string | undefined {
  const own = headers["private-token"];
  if (typeof own === "string" && own !== "") return own;
  if (headers.authorization === undefined) return undefined;
  const basic = isPasswordAllowed ? /^Basic +(\S+)$/i.exec(headers.authorization)?.[1] : undefined;
  if (basic !== undefined)
    return Buffer.from(basic, "base64")
      .toString("utf8")
      .replace(/^[^:]*:/, "");
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
  if (bearer === undefined) throw unauthorized();
  return bearer;
}

interface Window {
  readonly endsAt: number;
  observed: number;
}

/**
 * The maximum number of time windows that the limiter keeps in memory: one for each token or address. An additional
 * window replaces the oldest window.
 */
const WINDOWS = 10_000;

/**
 * Returns the key under which a request is counted: the digest of a valid token, otherwise the client's address. An
 * unknown token counts under the address. If invalid tokens were counted separately, each guessed token would get a
 * new limit.
 */
function counted(database: Database, request: FastifyRequest): string {
  let token: string | undefined;
  try {
    token = tokenOf(request.headers, true);
  } catch (error) {
    // The endpoint refuses the header later. The limiter counts the request as a request without a token.
    if (!(error instanceof HttpError)) throw error;
  }
  return token === undefined || !isKnownToken(database, token)
    ? `address ${request.ip}`
    : createHash("sha256").update(token).digest("base64");
}

/**
 * Creates a rate limiter with fixed time windows.
 *
 * @returns a function that counts a request and returns the `RateLimit-*` headers. Beyond the limit, the function
 * throws a 429 with `Retry-After`.
 */
export function rateLimiter(
  database: Database,
  limit: RateLimit,
): (request: FastifyRequest) => Record<string, string> {
  const windows = new Map<string, Window>();
  return (request) => {
    const now = Date.now();
    const who = counted(database, request);
    let window = windows.get(who);
    if (window === undefined || window.endsAt <= now) {
      for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
      if (windows.size >= WINDOWS) windows.delete(windows.keys().next().value!);
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
    // The wait is at least 1 second, because a client that retries at once is refused again.
    const wait = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    throw new HttpError(
      429,
      { message: "429 Too Many Requests" },
      { ...headers, "Retry-After": String(wait) },
    );
  };
}
