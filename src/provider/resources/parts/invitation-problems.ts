import type { InvitationResult } from "../../../api";
import { ApiError } from "../../../api";
import { type Diagnostic, DiagnosticError, error, warning } from "../../../diagnostics";

/** The attributes that a declaration and a membership share; an omitted expiry in a declaration means no expiry. */
interface Membership {
  readonly access_level: number;
  readonly expires_at: string | null;
}

const FIXED = ["access_level", "expires_at"] as const;

/** An error for each attribute in which a declaration differs from the existing membership. */
export const membershipDiffers = (
  who: string,
  place: string,
  declared: Membership,
  member: Membership,
): Diagnostic[] =>
  FIXED.filter((name) => declared[name] !== member[name]).map((name) =>
    error({
      code: "membership_differs",
      summary: "Already a member",
      detail:
        `${who} is already a member of the ${place}, where ${name} is ${shown(member[name])}; the configuration declares ` +
        `${shown(declared[name])}. An invitation can't change a membership. Change it on the member page of the ` +
        `${place}, or declare ${shown(member[name])} here.`,
      attribute: [name],
    }),
  );

const shown = (value: number | string | null): string => (value === null ? "no expiry" : String(value));

export const membershipNotRemoved = (who: string, place: string): Diagnostic =>
  warning({
    code: "membership_stays",
    summary: "Membership not removed",
    detail:
      `${who} accepted the invitation and is a member of the ${place}: destroying the invitation does not remove the ` +
      `membership. To end it, remove the person on the member page of the ${place}.`,
  });

/**
 * Whether the service refused the invitation because the person is already a member, which is not a failure. Throws for
 * any other refusal.
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
          summary: "Invitation failed",
          detail: `The service did not invite ${who}: "${reason}". Nothing was changed. Correct the configuration and apply again.`,
          attribute: [failure?.kind === "level_not_allowed" ? "access_level" : attribute],
        }),
      );
  }
}
