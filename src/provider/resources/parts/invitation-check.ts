import { ApiError, type InvitationResult } from "../../../api";
import { type Diagnostic, DiagnosticError, error, warning } from "../../../diagnostics";
import type { Reference } from "../../../schema";
import { orNothing } from "../../failure-of";
import {
  type InvitationContainer,
  isOver,
  type Membership,
  pendingOfUser,
  shownMember,
  usersFoundBy,
} from "./invitation-status";

/** The invited person: an e-mail address or a user. */
export interface Person {
  readonly email: string | null;
  readonly user: Reference | null;
}

export const nameOf = ({ email, user }: Person): string => email ?? user!.path ?? `the user ${user!.id}`;

/**
 * Checks whether a person is already a member or already invited, before Steward sends an invitation. Some services
 * treat a second invitation as a change of the first invitation or of the membership. Returns the person's
 * membership; undefined if the person is not a member. Returns `hidden` if a member without a visible address may be
 * the person.
 *
 * @throws ApiError `already_there` if the person has a pending invitation of any level
 */
export async function checkBeforeCreate(
  place: InvitationContainer,
  { email, user }: Person,
): Promise<Membership | "hidden" | undefined> {
  const member = email === null ? await memberOf(place, user!.id) : undefined;
  if (member !== undefined) return member;
  const open =
    email === null
      ? await pendingOfThisUser(place, user!.id)
      : // Other invitations may be looked up too, and the first page of the list costs as much as one invitation.
        await place.pending.get(email, place.expected ?? 2);
  if (open !== undefined && !isOver(open.expires_at)) {
    throw new ApiError({
      code: "already_there",
      what: `an invitation of ${open.invite_email} is already pending`,
    });
  }
  return email === null ? undefined : shownMember(place, email);
}

/**
 * Returns the pending invitation with the user's name. The invitation's address must not belong to another user with
 * this name.
 */
async function pendingOfThisUser(place: InvitationContainer, user: number) {
  const open = await pendingOfUser(place, user);
  const owners = open === undefined ? [] : await usersFoundBy(place, open.invite_email);
  return owners.length === 0 || owners.includes(user) ? open : undefined;
}

const memberOf = (place: InvitationContainer, user: number) =>
  orNothing(place.members.get(user, place.expected));

/**
 * Returns `hidden` for a refused list of members, because the token of a plan may not be allowed to list them. The
 * apply repeats the check with the token of the apply. Any error except a refusal is rethrown.
 */
export function hiddenIfForbidden(problem: unknown): "hidden" {
  if (problem instanceof ApiError && problem.code === "forbidden") return "hidden";
  throw problem;
}

/** Returns the warning of a plan whose token can't see members or their addresses. */
export const membershipHidden = (who: string, place: string): Diagnostic =>
  warning({
    code: "membership_hidden",
    summary: "Membership not checked",
    detail: `This token can't see the members of the ${place} or their e-mail addresses, so ${who} may already be a member. On some services an invitation changes the level of a member. If that happens, the apply reports an error. To be sure, declare the person as \`user\`, or plan with a token that can see the addresses.`,
    attribute: ["email"],
    cause: "the token",
  });

/**
 * Compares the levels of members before and after an invitation. The caller needs this check if the list lacks the
 * new invitation: the service may have changed a membership instead. @throws DiagnosticError
 */
export function requireUnchanged(
  before: ReadonlyMap<number, Membership>,
  after: ReadonlyMap<number, Membership>,
  who: string,
  place: string,
): void {
  const changed = [...after.values()].flatMap((member) => {
    const was = before.get(member.id);
    return was === undefined || was.access_level === member.access_level ? [] : [{ was, member }];
  });
  if (changed.length === 0) return;
  throw new DiagnosticError(
    changed.map(({ was, member }) =>
      error({
        code: "membership_changed",
        summary: "Invitation changed a membership",
        detail: `The invitation of ${who} changed the level of the member ${member.username} of the ${place} from ${was.access_level} to ${member.access_level}. Set the level back to ${was.access_level} on the member page of the ${place}, and remove the invitation from the configuration.`,
        attribute: ["access_level"],
      }),
    ),
  );
}

/**
 * The attributes that a declaration and a membership have in common. If a declaration omits the expiry, the
 * membership must not expire.
 */
interface MemberTerms {
  readonly access_level: number;
  readonly expires_at: string | null;
}

const FIXED = ["access_level", "expires_at"] as const;

/** Returns an error for each attribute that differs between a declaration and the existing membership. */
export const membershipDiffers = (
  place: string,
  declared: MemberTerms & Person,
  member: MemberTerms,
): Diagnostic[] =>
  FIXED.filter((name) => declared[name] !== member[name]).map((name) =>
    error({
      code: "membership_differs",
      summary: "Already a member",
      detail: `${nameOf(declared)} is already a member of the ${place}. The ${name} of the membership is ${shown(member[name])}, but the configuration declares ${shown(declared[name])}. An invitation can't change a membership. Change the membership on the member page of the ${place}, or declare ${shown(member[name])}.`,
      attribute: [name],
    }),
  );

const shown = (value: number | string | null): string => (value === null ? "no expiry" : String(value));

export const membershipNotRemoved = (who: string, place: string): Diagnostic =>
  warning({
    code: "membership_stays",
    summary: "Membership stays after the invitation is destroyed",
    detail: `${who} accepted the invitation and is a member of the ${place}. Destroying the invitation does not end the membership. To end it, remove the person on the member page of the ${place}.`,
  });

/**
 * Returns whether the service refused the invitation because the person already is a member. If the invitation failed
 * for another reason, the function throws.
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
        what: `the service reported for ${who}: "${reason}"`,
        serviceMessage: reason,
      });
    default:
      throw new DiagnosticError(
        error({
          code: "invitation_failed",
          summary: "Invitation refused",
          detail: `The service did not invite ${who}: "${reason}". Nothing was changed. Correct the configuration, then apply again.`,
          attribute: [failure?.kind === "level_not_allowed" ? "access_level" : attribute],
        }),
      );
  }
}
