/** A behaviour that differs between the specification and the live platform. */
export interface ByMode<T> {
  readonly strict: T;
  readonly observed: T;
}

/** `strict` follows the specification, `observed` the live platform. */
export type CompatMode = keyof ByMode<unknown>;

/** A behaviour that is the same in both modes. */
export const always = <T>(form: T): ByMode<T> => ({ strict: form, observed: form });

/** The behaviour in the mode of an instance. */
export const inMode = <T>({ compat }: { readonly compat: CompatMode }, habit: ByMode<T>): T => habit[compat];

export interface RateLimit {
  readonly requests: number;
  /** In seconds. */
  readonly period: number;
}

/** Settings of an instance; `instance` in a fixture and the options of `startService` override them. */
export interface ServiceSettings {
  /** Whether the instance follows the specification or the live platform. */
  readonly compat: CompatMode;
  /** Release in the answer of `GET /version`. */
  readonly version: string;
  readonly revision: string;
  /** Maximum offset of offset pagination. */
  readonly maximumOffset: number;
  /** Maximum bytes of a request body; 413 beyond. */
  readonly bodyLimit: number;
  /** Seconds within which a whole request must arrive. */
  readonly requestTimeout: number;
  /** Maximum connections; further ones are closed. */
  readonly maxConnections: number;
  /** Maximum entries of an allowlist of projects or groups; 0 means no limit. */
  readonly allowlistLimit: number;
  /** Limit of requests per token, or per address without a token; undefined turns it off. */
  readonly rateLimit: RateLimit | undefined;
  readonly pagesEnabled: boolean;
  /** Host of Pages URLs, `http://<namespace>.<host>/<project>`. */
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
