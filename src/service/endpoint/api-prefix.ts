/** Every path of the specification stands below this one (Versioning 1). */
const PREFIX = "/api/v4";

/** The whole path of an endpoint; what is the service's own stands beside the API. */
export const addressPattern = (path: string): string =>
  path.startsWith("/_steward/") ? path : `${PREFIX}${path}`;

/** The endpoint's path of a whole one. */
export const endpointPath = (pattern: string): string =>
  pattern.startsWith(`${PREFIX}/`) ? pattern.slice(PREFIX.length) : pattern;
