import { INITIAL_LIMIT, MAX_LIMIT } from "../http";

/** Defaults of the client's options; times in seconds. */
export const CLIENT_DEFAULTS = {
  authScheme: "private-token",
  allowPlainHttp: false,
  requestTimeout: 60,
  totalTimeout: 300,
  maxAttempts: 5,
  retryDelay: 0.5,
  maxAnswerBytes: 32 * 1024 * 1024,
  templatesPath: "platform_ci_ymls",
  /** Bounds of the adaptive concurrency limit. */
  concurrency: { first: INITIAL_LIMIT, most: MAX_LIMIT },
} as const;
