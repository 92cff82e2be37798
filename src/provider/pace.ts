import { type Clock, ConfigurationError, RequestPace } from "../api";

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = "STEWARD_MAX_REQUESTS_PER_MINUTE";

const inEnvironment = (env: Environment): number | undefined =>
  /^[1-9]\d{0,5}$/.test(env[VARIABLE] ?? "") ? Number(env[VARIABLE]) : undefined;

/**
 * The pace that all configurations of a run share: the given one, else that of STEWARD_MAX_REQUESTS_PER_MINUTE.
 * An invalid value there is an error of each configuration.
 */
export function sharedPace(perMinute: number | undefined, env: Environment): RequestPace | undefined {
  const maximum = perMinute ?? inEnvironment(env);
  return maximum === undefined ? undefined : new RequestPace(maximum);
}

/** The pace of one configuration that shares none. @throws ConfigurationError `invalid_option` */
export function paceOf(env: Environment, clock: Clock | undefined): RequestPace | undefined {
  if (!env[VARIABLE]) return undefined;
  const maximum = inEnvironment(env);
  if (maximum !== undefined) return new RequestPace(maximum, clock);
  throw new ConfigurationError({
    code: "invalid_option",
    what: `${VARIABLE} is not a whole number above 0, up to 999999`,
  });
}
