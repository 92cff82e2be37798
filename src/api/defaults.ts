import { INITIAL_LIMIT, MAX_LIMIT } from "../http";

/** What a client goes by where an option is left out; times in seconds. */
export const CLIENT_DEFAULTS = {
  authScheme: "private-token",
  allowPlainHttp: false,
  requestTimeout: 60,
  totalTimeout: 300,
  maxAttempts: 5,
  retryDelay: 0.5,
  maxAnswerBytes: 32 * 1024 * 1024,
  templatesPath: "platform_ci_ymls",
  /** Requests at the same time, which adapt to the service between the two. */
  concurrency: { first: INITIAL_LIMIT, most: MAX_LIMIT },
} as const;
