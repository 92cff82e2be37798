import type { IncomingHttpHeaders } from "node:http";
import { type RequestFacts, UnexpectedAnswerError } from "./errors";

/** Where the service is, and where links and redirects must stay. */
export interface Home {
  readonly origin: string;
  /** The path that the path of every operation follows, without a slash at the end. */
  readonly prefix: string;
}

/**
 * The path and query of the next page, by the `Link` header.
 *
 * @param otherwise how the next page is asked for without the link, where there is such a way: then a link that can't
 * be followed is passed over, as of a service behind a proxy that does not know its own address
 * @throws UnexpectedAnswerError `unexpected_answer` when the link leads to another origin: the token stays here
 */
export function nextTarget(
  headers: IncomingHttpHeaders,
  home: Home,
  request: RequestFacts,
  redact: (text: string) => string,
  otherwise: string | undefined,
): string | undefined {
  const link = findLink(String(headers["link"] ?? ""), "next");
  if (link === undefined) return otherwise;
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
  if (otherwise !== undefined) return otherwise;
  if (url === undefined) throw refuse("is no address");
  if (url.origin !== home.origin) throw refuse(`leads to another origin, ${redact(url.origin)}`);
  throw refuse(`leads out of the API, to ${redact(url.pathname)}`);
}

function findLink(header: string, relation: string): string | undefined {
  for (const [, address, attributes] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, words = ""] = /;\s*rel="?([^";,]*)"?/i.exec(attributes ?? "") ?? [];
    if (words.trim().split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
