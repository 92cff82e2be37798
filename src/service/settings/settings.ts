/** A behaviour of the live platform that the specification does not describe. */
export interface Habit {
  /** The name for `serve --habit`: words joined by hyphens. */
  readonly name: string;
  /** The behaviour of the service while the habit is on, as one sentence of Markdown without a full stop. */
  readonly does: string;
  /** The way in which the client handles the behaviour, as one sentence of Markdown without a full stop. */
  readonly client: string;
  /** The first release of the platform with the habit, or a phrase such as "always". */
  readonly since: string;
  /** Public sources for the habit, as Markdown. */
  readonly sources: readonly string[];
  /** The default of the habit: on in both modes, on only with `observed`, or off. */
  readonly on: "always" | "observed" | "by name";
}

/**
 * With `strict`, the service follows the specification. With `observed`, the service also has the habits of the live
 * platform.
 */
export type CompatMode = "strict" | "observed";

/** A behaviour that depends on a habit of the live platform: `on` if the instance has the habit, otherwise `off`. */
export interface Choice<T> {
  readonly habit: Habit;
  readonly on: T;
  readonly off: T;
}

type WithHabits = Pick<ServiceSettings, "habits">;

export const hasHabit = ({ habits }: WithHabits, { name }: Habit): boolean => habits.has(name);

/** Returns the behaviour that an instance has, depending on the instance's habits. */
export const chosen = <T>(settings: WithHabits, { habit, on, off }: Choice<T>): T =>
  hasHabit(settings, habit) ? on : off;

export interface RateLimit {
  readonly requests: number;
  /** The period of the rate limit in seconds. */
  readonly period: number;
}

/** Settings of an instance. `instance` in a fixture and the options of `startService` override the default settings. */
export interface ServiceSettings {
  /** The names of the habits of the live platform that this instance imitates. */
  readonly habits: ReadonlySet<string>;
  /** The release that `GET /version` returns. */
  readonly version: string;
  readonly revision: string;
  /** The maximum offset of offset pagination. The response to a request for a page beyond this offset is a 400. */
  readonly maximumOffset: number;
  /** The maximum size of a request body in bytes. The response to a larger request is a 413. */
  readonly bodyLimit: number;
  /** The time in seconds within which a whole request must arrive. */
  readonly requestTimeout: number;
  /** The maximum number of connections. The service closes any additional connection at once. */
  readonly maxConnections: number;
  /** The maximum number of entries in an allowlist of projects or groups; 0 means no limit. */
  readonly allowlistLimit: number;
  /** The limit of requests per token, or per address without a token. Undefined means no limit. */
  readonly rateLimit: RateLimit | undefined;
  readonly pagesEnabled: boolean;
  /** The host in the URLs of Pages: `http://<namespace>.<host>/<project>`. */
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
