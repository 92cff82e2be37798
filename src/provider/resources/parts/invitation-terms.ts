import {
  computed,
  configOnly,
  describeValues,
  invalidValue,
  isUnknown,
  optional,
  required,
  type ValueObject,
  valuesOf,
} from "../../../schema";
import { INVITATION_LEVELS } from "../../attributes";

/** An expired invitation is sent again when its end moves, which makes a new one of it. */
const whenSentAgain = (prior: ValueObject): boolean => prior["status"] === "expired";

/** What an invitation says, to a project as to a group. */
export const invitationTerms = {
  email: optional.caseInsensitiveString({
    description:
      "The e-mail address to invite, such as `ada@example.com`; capital and small letters mean the same. " +
      "Exactly one of `email` and `user` is needed.",
    replaces: true,
    check: (address) =>
      /^[^\s@,]+@[^\s@,]+$/.test(address)
        ? undefined
        : `${JSON.stringify(address)} is no e-mail address: one has a single @, and neither spaces nor commas.`,
  }),
  user: optional.reference("user", {
    description:
      "The user to invite, by numeric id or username. Usually a member at once; where an administrator has to " +
      "approve promotions, queued. Exactly one of `email` and `user` is needed.",
    replaces: true,
  }),
  access_level: required.number({
    description:
      `The level that the person gets: ${describeValues(INVITATION_LEVELS)}. Nobody can give a level above their own. ` +
      "It changes in place until the person is a member, and after that on the member page alone.",
    ...valuesOf(INVITATION_LEVELS),
  }),
  expires_at: optional.string({
    description:
      "The day on which the invitation, and the membership that comes of it, ends: `YYYY-MM-DD`. The service takes " +
      "midnight UTC at its start. Left out, there is no end; taken out of the code, it is cleared. Moved when " +
      "the invitation has expired, the invitation is sent again. Once the person is a member it changes on the " +
      "member page alone.",
    check: (day) =>
      isDay(day) ? undefined : `${JSON.stringify(day)} is no day that exists, written YYYY-MM-DD.`,
  }),
  member_role_id: configOnly.number({
    description:
      "The id of a custom role (top tier only); `access_level` must be the level that the role stands on. " +
      "It is sent with the invitation, and the service never shows it: a later change is kept without a request.",
    check: (id) => (Number.isInteger(id) && id > 0 ? undefined : `${id} is no id of a custom role.`),
  }),
  invite_source: configOnly.string({
    description:
      "A word by which the service's statistics tell where invitations come from. It is sent with the invitation, " +
      "and the service never shows it: a later change is kept without a request.",
  }),
  status: computed.string({
    description:
      "What became of the invitation: `pending`, `queued` (waits for an administrator), `expired`, or `accepted` " +
      "(the person is a member). It moves by itself, and no move is drift.",
    changesOnUpdate: whenSentAgain,
  }),
  invited_at: computed.string({
    description: "When the invitation was made; null for whom the service made a member at once.",
    changesOnUpdate: whenSentAgain,
  }),
  created_by_name: computed.string({
    description: "The name of who invited; null for whom the service made a member at once.",
    changesOnUpdate: whenSentAgain,
  }),
};

/** Exactly one of `email` and `user`; what isn't known yet may turn out to be null. */
export function namesOnePerson(config: ValueObject) {
  const given = [config["email"] ?? null, config["user"] ?? null].filter((value) => value !== null);
  const isSettled = given.filter((value) => !isUnknown(value)).length > 1 || !given.some(isUnknown);
  return isSettled && given.length !== 1
    ? [
        invalidValue(
          ["email"],
          given.length === 0
            ? "Somebody has to be invited: give email or user."
            : "Give either email or user, and not both.",
        ),
      ]
    : [];
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`: Date alone would roll 31 February over to March. */
function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(moment.valueOf()) &&
    moment.toISOString().startsWith(text)
  );
}
