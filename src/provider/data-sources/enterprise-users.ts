import type { EnterpriseUser, EnterpriseUserFilter } from "../../api";
import { computed, optional, required } from "../../schema";
import { defineDataSource } from "../define";
import { filtersIn, recordsOf } from "./parts/arguments";

const text = (description: string) => computed.string({ description });
const flag = (description: string) => computed.bool({ description });
const count = (description: string) => computed.number({ description });

const user = {
  id: count("The numeric id."),
  username: text("The username."),
  name: text("The full name."),
  state: text("Such as `active` or `blocked`."),
  avatar_url: text("The address of the picture; null where there is none."),
  web_url: text("The address of the user's page."),
  created_at: text("When the account was made."),
  confirmed_at: text("When the e-mail address was confirmed; null while it isn't."),
  bio: text("What the user says about themselves."),
  public_email: text("The e-mail address that everybody sees."),
  skype: text("A Skype name."),
  linkedin: text("A LinkedIn name."),
  twitter: text("A Twitter name."),
  website_url: text("The user's own site."),
  job_title: text("The job title."),
  commit_email: text("The e-mail address of the user's commits."),
  email: text("The e-mail address."),
  bot: flag("Whether the account is a bot's."),
  can_create_group: flag("Whether the user may create top-level groups."),
  can_create_project: flag("Whether the user may create projects."),
  two_factor_enabled: flag("Whether two-factor authentication is set up."),
  external: flag("Whether the user is external: sees internal projects as a guest would."),
  private_profile: flag("Whether the profile is hidden from others."),
  followers: count("How many users follow this one."),
  following: count("How many users this one follows."),
  theme_id: count("The theme of the user's pages."),
  color_scheme_id: count("The colours of code on the user's pages."),
  projects_limit: count("How many projects the user may have of their own."),
  location: text("Where the user is; null where nothing was told."),
  organization: text("The organization; null where nothing was told."),
  pronouns: text("The pronouns; null where nothing was told."),
  work_information: text("Job title and organization in one text; null where nothing was told."),
  local_time: text("The time where the user is; null where that isn't known."),
  last_sign_in_at: text("The sign-in before the present one; null where there was none."),
  last_activity_on: text("The last day with any activity; null where there was none."),
  current_sign_in_at: text("The latest sign-in; null where there was none."),
  shared_runners_minutes_limit: count("The user's own limit of CI/CD minutes; null without one."),
  extra_shared_runners_minutes_limit: count("CI/CD minutes beyond the limit; null without any."),
  identities: computed.listOf(
    {
      provider: text("The identity provider, such as `group_saml`."),
      extern_uid: text("The user's id there."),
      saml_provider_id: count("The id of the group's SAML provider; null for other providers."),
    },
    { description: "The accounts by which the user signs in." },
  ),
  scim_identities: computed.listOf(
    {
      extern_uid: text("The user's id there."),
      group_id: count("The id of the group that the account is provisioned for."),
      active: flag("Whether it is active."),
    },
    { description: "The accounts by which the user is provisioned (SCIM)." },
  ),
};

/** A moment as the filters take it, which Date must understand as the very same. */
const checkMoment = (moment: string): string | undefined => {
  const isWritten = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(moment);
  const parsed = new Date(moment);
  const exists = !Number.isNaN(parsed.valueOf()) && parsed.toISOString().slice(0, 19) === moment.slice(0, 19);
  return isWritten && exists
    ? undefined
    : `${JSON.stringify(moment)} is no moment that exists, written YYYY-MM-DDTHH:MM:SSZ.`;
};

/** The enterprise users of a top-level group (specification, "Enterprise users"). */
export const enterpriseUsers = defineDataSource({
  type: "enterprise_users",
  description:
    "The enterprise users of a top-level group: accounts that the group's organization owns, members or not. " +
    "Needs the Owner role in it.",
  attributes: {
    group: required.reference("group", {
      description:
        "The top-level group, by its numeric id or its path. A subgroup is refused by the service.",
    }),
    username: optional.string({ description: "Only the user of this name." }),
    search: optional.string({
      description: "Only users whose name, e-mail address or username contains this text.",
    }),
    active: optional.bool({ description: "`true`: active users alone. `false` filters nothing." }),
    blocked: optional.bool({ description: "`true`: blocked users alone. `false` filters nothing." }),
    created_after: optional.string({
      description: "Only users whose account is younger: `YYYY-MM-DDTHH:MM:SSZ`.",
      check: checkMoment,
    }),
    created_before: optional.string({
      description: "Only users whose account is older: `YYYY-MM-DDTHH:MM:SSZ`.",
      check: checkMoment,
    }),
    two_factor: optional.string({
      description: "Only users with two-factor authentication, `enabled`, or without it, `disabled`.",
      check: (word) =>
        ["enabled", "disabled"].includes(word) ? undefined : `"${word}" is neither enabled nor disabled.`,
    }),
    users: computed.listOf(user, { description: "The enterprise users." }),
  },

  async read({ api }, config) {
    const group = config["group"] ?? null;
    const filter = filtersIn<EnterpriseUserFilter>(
      config,
      "username",
      "search",
      "active",
      "blocked",
      "created_after",
      "created_before",
      "two_factor",
    );
    const found = await recordsOf("group", group, api.enterpriseUsers.list(String(group), filter));
    return { ...config, users: found.map(showUser) };
  },
});

/** The specification leaves some types open: what is a text or a number here is one whatever the service writes. */
function showUser(found: EnterpriseUser) {
  return {
    ...found,
    location: asText(found.location),
    organization: asText(found.organization),
    pronouns: asText(found.pronouns),
    work_information: asText(found.work_information),
    local_time: asText(found.local_time),
    last_sign_in_at: asText(found.last_sign_in_at),
    last_activity_on: asText(found.last_activity_on),
    current_sign_in_at: asText(found.current_sign_in_at),
    shared_runners_minutes_limit: asNumber(found.shared_runners_minutes_limit),
    extra_shared_runners_minutes_limit: asNumber(found.extra_shared_runners_minutes_limit),
  };
}

type Scalar = string | number | boolean | null;

const asText = (value: Scalar): string | null => (value === null ? null : String(value));
const asNumber = (value: Scalar): number | null =>
  value === null || Number.isNaN(Number(value)) ? null : Number(value);
