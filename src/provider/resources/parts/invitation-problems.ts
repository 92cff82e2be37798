import type { InvitationResult } from "../../../api";
import { ApiError } from "../../../api";
import { type Diagnostic, DiagnosticError, error, warning } from "../../../diagnostics";

/** What a declaration and a membership both say; in a declaration, an end that was left out is none. */
interface Membership {
  readonly access_level: number;
  readonly expires_at: string | null;
}

const FIXED = ["access_level", "expires_at"] as const;

/** An error for each term in which a declaration differs from the membership that came of it. */
export const membershipDiffers = (
  who: string,
  place: string,
  declared: Membership,
  member: Membership,
): Diagnostic[] =>
  FIXED.filter((name) => declared[name] !== member[name]).map((name) =>
    error({
      code: "membership_differs",
      summary: "The person is a member already",
      detail:
        `${who} is a member of the ${place}, where ${name} is ${shown(member[name])}; the declaration says ` +
        `${shown(declared[name])}. An invitation can't change a membership. Change it on the member page of the ` +
        `${place}, or declare ${shown(member[name])} here.`,
      attribute: [name],
    }),
  );

const shown = (value: number | string | null): string => (value === null ? "no end" : String(value));

export const membershipStays = (who: string, place: string): Diagnostic =>
  warning({
    code: "membership_stays",
    summary: "The membership stays",
    detail:
      `${who} is a member of the ${place} by now: destroying the invitation leaves the membership as it is. ` +
      `To end it, remove the person on the member page of the ${place}.`,
  });

/**
 * Raises what the service says of the one person who was invited; that the person is a member already is no failure,
 * and is told by the answer.
 *
 * @throws ApiError `already_there`, DiagnosticError `invitation_failed`
 */
export function isMemberAlready(
  who: string,
  attribute: "email" | "user",
  { status, failures: [failure] }: InvitationResult,
): boolean {
  if (status === "success") return false;
  const reason = failure?.reason ?? "no reason given";
  switch (failure?.kind) {
    case "already_member":
      return true;
    case "already_invited":
      throw new ApiError({
        code: "already_there",
        what: `the service says of ${who}: "${reason}"`,
        serviceMessage: reason,
      });
    default:
      throw new DiagnosticError(
        error({
          code: "invitation_failed",
          summary: "Not invited",
          detail: `The service did not invite ${who}: "${reason}". Nothing was changed; mend what it names, and apply again.`,
          attribute: [failure?.kind === "level_not_allowed" ? "access_level" : attribute],
        }),
      );
  }
}
