import { type HttpErrorCode, type HttpResponse, textOf } from "../http";

/** The code of a refusal that the status alone doesn't determine. */
export function refusalCode(answer: HttpResponse, serviceMessage: string): HttpErrorCode | undefined {
  const { status } = answer;
  if (status === 403 && isScopeRefusal(answer)) return "insufficient_scope";
  if (status === 403 && isFeatureOff(serviceMessage)) return "feature_off";
  // "Already there" has three forms: 400 for an allowlist, 409 for an environment, 422 for a taken pattern.
  if ([400, 409, 422].includes(status) && /\balready\b|\bbeen taken\b/i.test(serviceMessage))
    return "already_there";
  // Removing a missing allowlist entry.
  if (status === 400 && /\bis not in the job token scope\b/i.test(serviceMessage)) return "not_found";
  return undefined;
}

const FEATURE =
  /\b(?:features?|pages|registry|job tokens?|environments?|invitations?|templates?|licen[cs]e|tier|plan|subscription|premium|ultimate)\b/i;
const OFF =
  /\b(?:not (?:available|enabled|supported|included?|activated)|unavailable|disabled|(?:turned|switched) off|is off|requires? an? (?:higher |paid )?(?:premium|ultimate|licen[cs]e|subscription|tier|plan))\b/i;

/** True when a 403 is about a disabled feature, or one that the licence doesn't include. */
const isFeatureOff = (words: string): boolean =>
  FEATURE.test(words) && OFF.test(words) && !/\baccount\b/i.test(words);

/** True when a 403 is about the token's scopes rather than the user's role. */
function isScopeRefusal(answer: HttpResponse): boolean {
  return (
    textOf(answer).includes("insufficient_scope") ||
    String(answer.headers["www-authenticate"] ?? "").includes("insufficient_scope")
  );
}
