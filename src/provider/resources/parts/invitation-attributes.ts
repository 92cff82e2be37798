import {
  computed,
  configOnly,
  countGiven,
  describeValues,
  invalidValue,
  optional,
  required,
  type ValueObject,
  valuesOf,
} from "../../../schema";
import { INVITATION_LEVELS, isTime } from "../../define";

/**
 * Returns whether an update sends an expired invitation again. The service then creates a new invitation, so the
 * computed attributes of the object change.
 */
const isChangedByResend = (prior: ValueObject): boolean => prior["status"] === "expired";

/** The attributes of an invitation to a project or a group. */
export const invitationAttributes = {
  email: optional.caseInsensitiveString({
    description:
      "The e-mail address to invite, such as `ada@example.com`. For the service, two spellings of an address are two " +
      "invitations. If only the spelling changes in the code, Steward keeps the invitation. " +
      "Exactly one of `email` and `user` is required.",
    replaces: true,
    check: (address) =>
      /^[^\s@,]+@[^\s@,]+$/.test(address)
        ? undefined
        : `${JSON.stringify(address)} is not a valid e-mail address. An address has a single @, no spaces and no commas.`,
  }),
  user: optional.reference("user", {
    description:
      "The user to invite, by numeric id or username. The user usually becomes a member at once; if an administrator " +
      "must " +
      "approve promotions, the invitation is queued. Exactly one of `email` and `user` is required.",
    replaces: true,
  }),
  access_level: required.number({
    description:
      `The access level of the person: ${describeValues(INVITATION_LEVELS)}. The level can't be higher than ` +
      "the level of the user who sends the invitation. Steward changes the level in place until the person is a member. " +
      "After that, it can only be changed on the member page.",
    ...valuesOf(INVITATION_LEVELS),
  }),
  expires_at: optional.string({
    description:
      "The day on which the invitation and the membership expire, as `YYYY-MM-DD`. They expire at midnight UTC at " +
      "the start of this day. If omitted, they do not expire. If the day is removed from the configuration, Steward " +
      "clears the expiry. If you change the day of an expired invitation, the invitation is sent again. Once the " +
      "person is a member, the day can only be changed on the member page.",
    check: (day) =>
      isTime(day, /^\d{4}-\d{2}-\d{2}$/)
        ? undefined
        : `${JSON.stringify(day)} is not a valid date. Write a date as YYYY-MM-DD.`,
  }),
  member_role_id: configOnly.number({
    description:
      "The id of a custom role (top tier only); `access_level` must be the base level of that role. " +
      "Steward sends this value with the invitation. The service never returns the value, so Steward stores a later " +
      "change only in the state.",
    check: (id) =>
      Number.isInteger(id) && id > 0
        ? undefined
        : `${id} is not the id of a custom role. An id is a whole number above 0.`,
  }),
  invite_source: configOnly.string(
    "The source of the invitation, as a text for the service's statistics. Steward sends this value with the invitation. The " +
      "service never returns the value, so Steward stores a later change only in the state.",
  ),
  status: computed.string({
    description:
      "The status of the invitation: `pending`, `queued` (waits for an administrator), `expired`, or `accepted` " +
      "(the person is a member). The service changes the status; such a change is not drift.",
    changesOnUpdate: isChangedByResend,
  }),
  invited_at: computed.string({
    description: "The time when the invitation was created; null if the person became a member at once.",
    changesOnUpdate: isChangedByResend,
  }),
  created_by_name: computed.string({
    description: "The name of the user who sent the invitation; null if the person became a member at once.",
    changesOnUpdate: isChangedByResend,
  }),
};

/** Requires exactly one of `email` and `user`. An unknown value can still become null. */
export function requireOneInvitee(config: ValueObject) {
  const count = countGiven([config["email"] ?? null, config["user"] ?? null]);
  if (count === undefined || count === 1) return [];
  const problem =
    count === 0
      ? "One of email and user is required."
      : "email and user can't be set together. Remove one of them.";
  return [invalidValue(["email"], problem)];
}
