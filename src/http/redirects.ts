import { type RequestInfo, UnexpectedAnswerError } from "./errors";
import type { ApiRoot } from "./links";
import type { HttpResponse } from "./transport";

const FOLLOWED_STATUSES = [301, 302, 307, 308];
export const isRedirect = (status: number): boolean => FOLLOWED_STATUSES.includes(status);

/**
 * The new path and query of a moved endpoint. It must be on the same origin and within the API: the token
 * must not leave it, and a sign-in page is no response (section "Common rules", last point).
 *
 * @throws UnexpectedAnswerError `redirect_refused`
 */
export function redirectTarget(
  answer: HttpResponse,
  from: string,
  home: ApiRoot,
  request: RequestInfo,
  redact: (text: string) => string,
): string {
  const refuse = (why: string) =>
    new UnexpectedAnswerError({
      code: "redirect_refused",
      request,
      status: answer.status,
      what: `the service answered ${answer.status} with a redirect, and ${why}`,
    });
  const { location } = answer.headers;
  const base = `${home.origin}${from}`;
  if (!location || !URL.canParse(location, base)) throw refuse("there is no usable Location");
  const url = new URL(location, base);
  if (url.origin !== home.origin) throw refuse(`it points to another origin, ${redact(url.origin)}`);
  if (!url.pathname.startsWith(`${home.prefix}/`))
    throw refuse(`it points outside the API, to ${redact(url.pathname)}`);
  const target = asWritten(location, home) ?? `${url.pathname}${url.search}`;
  if (target === from) throw refuse("it points to itself");
  return target;
}

/** The path and query as the service wrote them: URL would resolve an encoded `..` that is part of a name. */
function asWritten(location: string, { origin, prefix }: ApiRoot): string | undefined {
  const path = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
  const isPlain = /^[\w\-.~!$&'()*+,;=:@%/?]*$/.test(path) && !/(?:^|\/)\.{1,2}(?:[/?]|$)/.test(path);
  return isPlain && path.startsWith(`${prefix}/`) ? path : undefined;
}

export const tooManyRedirects = (
  answer: HttpResponse,
  request: RequestInfo,
  maxRedirects: number,
): UnexpectedAnswerError =>
  new UnexpectedAnswerError({
    code: "redirect_refused",
    request,
    status: answer.status,
    what: `the service redirected more than ${maxRedirects} times`,
  });
