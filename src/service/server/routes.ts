import { addressPattern, type Endpoint } from "../endpoint/endpoint";

/** An endpoint and the parameters of its path, decoded. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

/** The endpoints whose paths begin alike, by the segment that follows. */
interface Node {
  readonly fixed: Map<string, Node>;
  /** What follows where the segment is a parameter. */
  parameter?: Node;
  readonly endpoints: Map<string, Endpoint>;
}

const node = (): Node => ({ fixed: new Map(), endpoints: new Map() });

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The decoded segments of a request's target, which a slash at the end does not change; undefined where they can't be decoded. */
function segmentsOf(url: string): string[] | undefined {
  const target = url.startsWith("/") ? url : url.replace(ORIGIN, "");
  const [address = ""] = target.split(/[?#]/, 1);
  try {
    return address.replace(/\/$/, "").split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * Finds the endpoint of a request; a fixed segment precedes a parameter. Declared to Fastify one by one, the routes would take
 * more than half of a service's start, and many tests start one.
 */
export function routeTable(
  endpoints: readonly Endpoint[],
): (method: string, url: string) => Route | undefined {
  const root = node();
  for (const endpoint of endpoints) {
    let at = root;
    for (const segment of addressPattern(endpoint.path).split("/")) {
      if (segment.startsWith(":")) at = at.parameter ??= node();
      else {
        const next = at.fixed.get(segment) ?? node();
        at.fixed.set(segment, next);
        at = next;
      }
    }
    at.endpoints.set(endpoint.method, endpoint);
  }
  return (method, url) => {
    const segments = segmentsOf(url);
    const endpoint = segments && find(root, segments, 0, method === "HEAD" ? "GET" : method);
    return endpoint && { endpoint, path: parametersOf(endpoint, segments) };
  };
}

function find(
  at: Node | undefined,
  segments: readonly string[],
  index: number,
  method: string,
): Endpoint | undefined {
  if (at === undefined) return undefined;
  const segment = segments[index];
  if (segment === undefined) return at.endpoints.get(method);
  return (
    find(at.fixed.get(segment), segments, index + 1, method) ??
    find(at.parameter, segments, index + 1, method)
  );
}

function parametersOf(endpoint: Endpoint, segments: readonly string[]): Record<string, string> {
  const names = addressPattern(endpoint.path).split("/");
  return Object.fromEntries(
    names.flatMap((name, index) => (name.startsWith(":") ? [[name.slice(1), segments[index]!]] : [])),
  );
}
