import {
  computed,
  configOnly,
  describeValues,
  invalidValue,
  optional,
  required,
  type ValueObject,
  valuesOf,
} from "../../../schema";
import { countGiven, INVITATION_LEVELS, isTime } from "../../define";

/**
 * If the expiry of an expired invitation changes, Steward sends it again, and the service creates a new
 * invitation.
 */
const isChangedByResend = (prior: ValueObject): boolean => prior["status"] === "expired";

/** The attributes of an invitation to a project or a group. */
export const invitationAttributes = {
  email: optional.caseInsensitiveString({
    description:
      "The e-mail address to invite, such as `ada@example.com`. The service compares it exactly: two spellings are two " +
      "invitations. Another spelling in the code keeps the invitation of its object. " +
      "Exactly one of `email` and `user` is required.",
    replaces: true,
    check: (address) =>
      /^[^\s@,]+@[^\s@,]+$/.test(address)
        ? undefined
        : `${JSON.stringify(address)} is not a valid e-mail address. An address has a single @, no spaces and no commas.`,
  }),
  user: optional.reference("user", {
    description:
      "The user to invite, by numeric id or username. The user usually becomes a member at once; if an administrator must " +
      "approve promotions, the invitation is queued. Exactly one of `email` and `user` is required.",
    replaces: true,
  }),
  access_level: required.number({
    description:
      `The access level of the person: ${describeValues(INVITATION_LEVELS)}. It can't be above the inviting user's own level. ` +
      "It is changed in place until the person is a member, and after that on the member page only.",
    ...valuesOf(INVITATION_LEVELS),
  }),
  expires_at: optional.string({
    description:
      "The day on which the invitation and the resulting membership expire, as `YYYY-MM-DD`: they expire at midnight UTC " +
      "at the start of that day. If omitted, they do not expire; if removed from the configuration, the expiry is cleared. " +
      "Changing it after the invitation expired sends the invitation again. Once the person is a member, it is changed " +
      "on the member page only.",
    check: (day) =>
      isTime(day, /^\d{4}-\d{2}-\d{2}$/)
        ? undefined
        : `${JSON.stringify(day)} is not a valid date. Write a date as YYYY-MM-DD.`,
  }),
  member_role_id: configOnly.number({
    description:
      "The id of a custom role (top tier only); `access_level` must be the base level of that role. " +
      "It is sent with the invitation. The service never returns it, so a later change is stored without a request.",
    check: (id) =>
      Number.isInteger(id) && id > 0
        ? undefined
        : `${id} is not the id of a custom role. An id is a whole number above 0.`,
  }),
  invite_source: configOnly.string(
    "The source of the invitation in the service's statistics. It is sent with the invitation. " +
      "The service never returns it, so a later change is stored without a request.",
  ),
  status: computed.string({
    description:
      "The status of the invitation: `pending`, `queued` (waits for an administrator), `expired`, or `accepted` " +
      "(the person is a member). The service changes it, and a change is not drift.",
    changesOnUpdate: isChangedByResend,
  }),
  invited_at: computed.string({
    description: "When the invitation was created; null if the person became a member at once.",
    changesOnUpdate: isChangedByResend,
  }),
  created_by_name: computed.string({
    description: "The name of the inviting user; null if the person became a member at once.",
    changesOnUpdate: isChangedByResend,
  }),
};

/** Requires exactly one of `email` and `user`; an unknown value may turn out to be null. */
export function requireOneInvitee(config: ValueObject) {
  const count = countGiven([config["email"] ?? null, config["user"] ?? null]);
  if (count === undefined || count === 1) return [];
  const problem =
    count === 0
      ? "One of email and user is required."
      : "email and user can't be set together. Remove one of them.";
  return [invalidValue(["email"], problem)];
}
