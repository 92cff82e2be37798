import type { IncomingHttpHeaders } from "node:http";
import { type RequestFacts, UnexpectedAnswerError } from "./errors";

/** Where the service is, and where links and redirects must stay. */
export interface Home {
  readonly origin: string;
  /** The path that the path of every operation follows, without a slash at the end. */
  readonly prefix: string;
}

/**
 * The path and query of the next page, by the `Link` header alone.
 *
 * @throws UnexpectedAnswerError `unexpected_answer` when the link leads to another origin: the token stays here
 */
export function nextTarget(
  headers: IncomingHttpHeaders,
  home: Home,
  request: RequestFacts,
  redact: (text: string) => string,
): string | undefined {
  const link = findLink(String(headers["link"] ?? ""), "next");
  if (link === undefined) return undefined;
  const refuse = (why: string) =>
    new UnexpectedAnswerError({
      code: "unexpected_answer",
      request,
      what: `the link to the next page ${why}, and is not followed`,
    });
  if (!URL.canParse(link, home.origin)) throw refuse("is no address");
  const url = new URL(link, home.origin);
  if (url.origin !== home.origin) throw refuse(`leads to another origin, ${redact(url.origin)}`);
  if (!url.pathname.startsWith(`${home.prefix}/`))
    throw refuse(`leads out of the API, to ${redact(url.pathname)}`);
  return `${url.pathname}${url.search}`;
}

function findLink(header: string, relation: string): string | undefined {
  for (const [, address, attributes] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, words = ""] = /;\s*rel="?([^";,]*)"?/i.exec(attributes ?? "") ?? [];
    if (words.trim().split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
