import type { IncomingHttpHeaders } from "node:http";
import { type RequestInfo, UnexpectedAnswerError } from "./errors";

/** The origin and path of the API; links and redirects must stay within it. */
export interface ApiRoot {
  readonly origin: string;
  /** The path prefix of all operations, without a trailing slash. */
  readonly prefix: string;
}

/**
 * The path and query of the next page, from the `Link` header.
 *
 * @param fallback the next page without the link, if it can be derived: an unusable link is then ignored, as
 * from a service behind a proxy that does not know its own address
 * @throws UnexpectedAnswerError `unexpected_answer` when the link points to another origin: the token must
 * not leave this one
 */
export function nextPageTarget(
  headers: IncomingHttpHeaders,
  home: ApiRoot,
  request: RequestInfo,
  redact: (text: string) => string,
  fallback: string | undefined,
): string | undefined {
  const link = findLink(String(headers["link"] ?? ""), "next");
  if (link === undefined) return fallback;
  const refuse = (why: string) =>
    new UnexpectedAnswerError({
      code: "unexpected_answer",
      request,
      what: `the link to the next page ${why}, and is not followed`,
    });
  const url = URL.canParse(link, home.origin) ? new URL(link, home.origin) : undefined;
  if (url?.origin === home.origin && url.pathname.startsWith(`${home.prefix}/`)) {
    return `${url.pathname}${url.search}`;
  }
  if (fallback !== undefined) return fallback;
  if (url === undefined) throw refuse("is not a valid URL");
  if (url.origin !== home.origin) throw refuse(`points to another origin, ${redact(url.origin)}`);
  throw refuse(`points outside the API, to ${redact(url.pathname)}`);
}

function findLink(header: string, relation: string): string | undefined {
  for (const [, address, attributes] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, relations = ""] = /;\s*rel="?([^";,]*)"?/i.exec(attributes ?? "") ?? [];
    if (relations.trim().split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
