import type { CompatMode } from "./compat-mode";

export interface RateLimit {
  readonly requests: number;
  /** In seconds. */
  readonly period: number;
}

/** What an instance is set up with; a fixture's `instance` and the options of `startService` override it. */
export interface ServiceSettings {
  /** Whether the instance follows the specification to the letter, or has the habits of the live platform. */
  readonly compat: CompatMode;
  /** Release that `GET /version` tells. */
  readonly version: string;
  readonly revision: string;
  /** Highest offset that offset pagination takes. */
  readonly maximumOffset: number;
  /** Bytes of a request's body; more is 413. */
  readonly bodyLimit: number;
  /** Seconds within which a request must have come in whole, with its body. */
  readonly requestTimeout: number;
  /** Connections at once; one more is closed. */
  readonly maxConnections: number;
  /** Entries of an allowlist of projects or groups; 0 is without a limit. */
  readonly allowlistLimit: number;
  /** Requests that one token, or one address without a token, may send in a period; off where missing. */
  readonly rateLimit: RateLimit | undefined;
  readonly pagesEnabled: boolean;
  /** Host below which Pages are reached, as `http://<namespace>.<host>/<project>`. */
  readonly pagesHost: string;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  compat: "strict",
  version: "18.2.0-ee",
  revision: "0a1b2c3d4e5",
  maximumOffset: 50_000,
  bodyLimit: 1_048_576,
  requestTimeout: 300,
  maxConnections: 2_000,
  allowlistLimit: 0,
  rateLimit: undefined,
  pagesEnabled: true,
  pagesHost: "pages.example.com",
};
