import { type RequestFacts, UnexpectedAnswerError } from "./errors";
import type { Home } from "./links";
import type { HttpAnswer } from "./transport";

const FOLLOWED = [301, 302, 307, 308];
export const isRedirect = (status: number): boolean => FOLLOWED.includes(status);

/**
 * Where a moved endpoint is now, as path and query. It must be on the same origin and within the API: the token
 * goes nowhere else, and a sign-in page is no answer (section "Common rules", last point).
 *
 * @throws UnexpectedAnswerError `redirect_refused`
 */
export function redirectTarget(
  answer: HttpAnswer,
  from: string,
  home: Home,
  request: RequestFacts,
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
  if (url.origin !== home.origin) throw refuse(`it leads to another origin, ${redact(url.origin)}`);
  if (!url.pathname.startsWith(`${home.prefix}/`))
    throw refuse(`it leads out of the API, to ${redact(url.pathname)}`);
  const target = asWritten(location, home) ?? `${url.pathname}${url.search}`;
  if (target === from) throw refuse("it leads to itself");
  return target;
}

/** A path and query as the service wrote them: URL would take an encoded `..` that stands for a name for a step up. */
function asWritten(location: string, { origin, prefix }: Home): string | undefined {
  const path = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
  const isPlain = /^[\w\-.~!$&'()*+,;=:@%/?]*$/.test(path) && !/(?:^|\/)\.{1,2}(?:[/?]|$)/.test(path);
  return isPlain && path.startsWith(`${prefix}/`) ? path : undefined;
}

export const tooManyRedirects = (
  answer: HttpAnswer,
  request: RequestFacts,
  most: number,
): UnexpectedAnswerError =>
  new UnexpectedAnswerError({
    code: "redirect_refused",
    request,
    status: answer.status,
    what: `the service redirected more than ${most} times`,
  });
