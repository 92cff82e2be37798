import { addressPattern, type Endpoint } from "../endpoint/endpoint";

/** An endpoint and the parameters of its path, decoded. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the decoded segments of a request's target, without a slash at the end. Returns undefined if the segments
 * can't be decoded.
 */
function segmentsOf(url: string): string[] | undefined {
  const target = url.startsWith("/") ? url : url.replace(ORIGIN, "");
  const [address = ""] = target.split(/[?#]/, 1);
  try {
    return address.replace(/\/$/, "").split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Returns the sort key of a path: a fixed segment sorts before a parameter in the same position. */
const precedenceOf = (path: string): string => path.replaceAll("/:", "/\uffff");

/**
 * Finds the endpoint of a request. A fixed segment takes precedence over a parameter. The endpoints are not routes of
 * Fastify. Routes of Fastify would take more than half of the start time of a service, and many tests start a service.
 */
export function routeTable(
  endpoints: readonly Endpoint[],
): (method: string, url: string) => Route | undefined {
  // The candidates by method and by number of path segments.
  const candidates = new Map<string, { readonly endpoint: Endpoint; readonly names: readonly string[] }[]>();
  const sorted = [...endpoints].sort((left, right) =>
    precedenceOf(left.path) < precedenceOf(right.path) ? -1 : 1,
  );
  for (const endpoint of sorted) {
    const names = addressPattern(endpoint.path).split("/");
    const key = `${endpoint.method} ${names.length}`;
    candidates.set(key, [...(candidates.get(key) ?? []), { endpoint, names }]);
  }
  return (method, url) => {
    const segments = segmentsOf(url);
    if (segments === undefined) return undefined;
    const route = candidates
      .get(`${method === "HEAD" ? "GET" : method} ${segments.length}`)
      ?.find(({ names }) => names.every((name, at) => name.startsWith(":") || name === segments[at]));
    if (route === undefined) return undefined;
    const parameters = route.names.flatMap((name, at) =>
      name.startsWith(":") ? [[name.slice(1), segments[at]!]] : [],
    );
    return { endpoint: route.endpoint, path: Object.fromEntries(parameters) };
  };
}
