import type { Clock } from "../../../src/http/clock";
import { type Behaviour, json, type SeenRequest } from "./fault-server";

export interface RateLimit {
  /** The number of requests in each window, and the length of a window in milliseconds. */
  readonly limit: number;
  readonly window: number;
  /**
   * The headers that the service sends: the state of the limit in every response (`state`), or the pause in a refusal
   * (`retry-after`).
   */
  readonly tells: readonly ("state" | "retry-after")[];
  /** The clock that determines when a window ends. */
  readonly clock: Pick<Clock, "now">;
}

/**
 * A service with fixed rate limit windows. The service refuses requests beyond the limit with 429, and records the refused
 * clients.
 */
export function rateLimited({ limit, window, tells, clock }: RateLimit, success: Behaviour) {
  const refused: string[] = [];
  let opened = 0;
  let count = 0;
  const behaviour: Behaviour = (request, response) => {
    const now = clock.now();
    if (now >= opened + window) {
      opened = now;
      count = 0;
    }
    count += 1;
    response.setHeader("date", new Date(now).toUTCString());
    const seconds = String(Math.ceil((opened + window - now) / 1000));
    if (tells.includes("state")) {
      response.setHeader("ratelimit-limit", limit);
      response.setHeader("ratelimit-remaining", Math.max(0, limit - count));
      response.setHeader("ratelimit-observed", count);
      response.setHeader("ratelimit-reset", Math.ceil((opened + window) / 1000));
    }
    if (count <= limit) return success(request, response);
    refused.push(request.target);
    json(429, {}, tells.includes("retry-after") ? { "retry-after": seconds } : {})(request, response);
  };
  return { behaviour, refused };
}

/** Responds to the request for a project with a record that has the id from the request's path. */
export const projectOf: Behaviour = (request: SeenRequest, response) =>
  json(200, { id: Number(request.target.split("/").at(-1)), path_with_namespace: "a/b" })(request, response);
