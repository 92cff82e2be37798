/** A behaviour of the live platform that the specification does not describe. */
export interface Habit {
  /** Words joined by hyphens, as `serve --habit` takes them. */
  readonly name: string;
  /** The behaviour of the service while the habit is on: one sentence of Markdown without a full stop. */
  readonly does: string;
  /** The behaviour of the client, in the same form. */
  readonly client: string;
  /** Release of the platform, or a phrase. */
  readonly since: string;
  /** Public sources, as Markdown. */
  readonly sources: readonly string[];
  /** The default: on in both modes, on with `observed`, or off. */
  readonly on: "always" | "observed" | "by name";
}

/** `strict` follows the specification and what was settled, `observed` the live platform. */
export type CompatMode = "strict" | "observed";

/** A behaviour that depends on a habit. */
export interface Choice<T> {
  readonly habit: Habit;
  readonly on: T;
  readonly off: T;
}

type WithHabits = Pick<ServiceSettings, "habits">;

export const hasHabit = ({ habits }: WithHabits, { name }: Habit): boolean => habits.has(name);

/** The behaviour of an instance. */
export const chosen = <T>(settings: WithHabits, { habit, on, off }: Choice<T>): T =>
  hasHabit(settings, habit) ? on : off;

export interface RateLimit {
  readonly requests: number;
  /** In seconds. */
  readonly period: number;
}

/** Settings of an instance; `instance` in a fixture and the options of `startService` override them. */
export interface ServiceSettings {
  /** Names of the habits that are on. */
  readonly habits: ReadonlySet<string>;
  /** Release in the response of `GET /version`. */
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
  habits: new Set(["exact-addresses", "security-manager"]),
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
