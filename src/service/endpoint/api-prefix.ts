/** Prefix of every path of the specification (Versioning 1). */
const PREFIX = "/api/v4";

/** The path of an endpoint with the API's prefix; the service's own endpoints have none. */
export const addressPattern = (path: string): string =>
  path.startsWith("/_steward/") ? path : `${PREFIX}${path}`;
