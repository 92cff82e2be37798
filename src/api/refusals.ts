import { type HttpAnswer, type HttpErrorCode, textOf } from "../http";

/** What this service means by a refusal, where its status alone doesn't say. */
export function refusalCode(answer: HttpAnswer, serviceMessage: string): HttpErrorCode | undefined {
  const { status } = answer;
  if (status === 403 && isScopeRefusal(answer)) return "insufficient_scope";
  // One thing in three shapes: an allowlist says it with 400, an environment with 409, a taken pattern with 422.
  if ([400, 409, 422].includes(status) && /\balready\b|\bbeen taken\b/i.test(serviceMessage))
    return "already_there";
  // Removing an entry of an allowlist that is gone.
  if (status === 400 && /\bis not in the job token scope\b/i.test(serviceMessage)) return "not_found";
  return undefined;
}

/** True when a 403 is about the token's scopes, not about the user's role. */
function isScopeRefusal(answer: HttpAnswer): boolean {
  return (
    textOf(answer).includes("insufficient_scope") ||
    String(answer.headers["www-authenticate"] ?? "").includes("insufficient_scope")
  );
}
