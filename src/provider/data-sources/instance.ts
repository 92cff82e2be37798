import type { EnterpriseUser, EnterpriseUserFilter } from "../../api";
import { type Attributes, computed, optional, required, type ValueObject } from "../../schema";
import { defineDataSource, eitherOf, isTime, wordsOf } from "../define";
import { orNothing } from "../failure-of";
import { filtersIn, NotThere, readOrFail } from "./records";

/** One CI/CD template with its text (specification, "CI/CD YAML template"). */
export const ciTemplate = defineDataSource({
  type: "ci_template",
  description:
    "One CI/CD template of the instance, with its content. The service refuses users who have no role above Guest in " +
    "any project or group.",
  attributes: {
    key: required.string({
      description: "The key of the template, from the list of `steward_ci_templates`.",
      check: (key) => (key === "" ? "The key must not be empty." : undefined),
    }),
    name: computed.string("The display name."),
    content: computed.string("The content of the template, in YAML."),
  },

  async read({ api }, config) {
    const template = await orNothing(api.ciTemplates.get(String(config["key"])));
    if (template !== undefined) return { ...config, ...template };
    throw new NotThere(
      `The instance has no template with the key "${config["key"]}". The data source steward_ci_templates lists the ` +
        "available templates. Also check the provider's templates_path.",
      ["key"],
    );
  },
});

/** The CI/CD templates of the instance (specification, "CI/CD YAML templates"). */
export const ciTemplates = defineDataSource({
  type: "ci_templates",
  description:
    "The CI/CD templates that the instance offers. The service refuses users who have no role above Guest in any " +
    "project or group. The provider's `templates_path` sets the path segment of the templates in URLs.",
  attributes: {
    templates: computed.listOf(
      {
        key: computed.string("The key of the template, for the data source `steward_ci_template`."),
        name: computed.string("The display name."),
      },
      "The templates, without their content.",
    ),
  },

  read: async ({ api }) => ({ templates: await api.ciTemplates.list().toArray() }),
});

/** The user that the token belongs to (specification, "Authenticated user"). */
export const currentUser = defineDataSource({
  type: "current_user",
  description: "The user to whom the token belongs.",
  attributes: {
    id: computed.string("The numeric id, as a string."),
    username: computed.string("The username."),
    name: computed.string("The full name."),
    email: computed.string("The e-mail address."),
    is_admin: computed.bool("Whether the user is an administrator of the instance."),
    web_url: computed.string("The URL of the user's page."),
  },

  async read({ api }) {
    const { id, username, name, email, is_admin, web_url } = await api.users.current();
    return { id: String(id), username, name, email, is_admin, web_url };
  },
});

const { string: text, bool: flag, number: count } = computed;

const user = {
  id: count("The numeric id."),
  username: text("The username."),
  name: text("The full name."),
  state: text("The state of the account, such as `active` or `blocked`."),
  avatar_url: text("The URL of the avatar; null if there is none."),
  web_url: text("The URL of the user's page."),
  created_at: text("The time when the account was created."),
  confirmed_at: text("The time when the user confirmed the e-mail address; null if it is not confirmed."),
  bio: text("The biography of the user."),
  public_email: text("The public e-mail address."),
  skype: text("The Skype name."),
  linkedin: text("The LinkedIn name."),
  twitter: text("The Twitter name."),
  website_url: text("The URL of the user's website."),
  job_title: text("The job title."),
  commit_email: text("The e-mail address of the user's commits."),
  email: text("The e-mail address."),
  bot: flag("Whether the account belongs to a bot."),
  can_create_group: flag("Whether the user may create top-level groups."),
  can_create_project: flag("Whether the user may create projects."),
  two_factor_enabled: flag("Whether two-factor authentication is set up."),
  external: flag("Whether the user is external, and so has no access to internal projects by default."),
  private_profile: flag("Whether the profile is hidden from others."),
  followers: count("The number of users who follow this user."),
  following: count("The number of users whom this user follows."),
  theme_id: count("The id of the interface theme."),
  color_scheme_id: count("The id of the syntax highlighting colour scheme."),
  projects_limit: count("The maximum number of personal projects of the user."),
  location: text("The location; null if it is not set."),
  organization: text("The organization; null if it is not set."),
  pronouns: text("The pronouns; null if they are not set."),
  work_information: text("Job title and organization in one string; null if they are not set."),
  local_time: text("The user's local time; null if it is unknown."),
  last_sign_in_at: text("The time of the previous sign-in; null if there is none."),
  last_activity_on: text("The day of the last activity; null if there is none."),
  current_sign_in_at: text("The time of the latest sign-in; null if there is none."),
  shared_runners_minutes_limit: count("The user's limit of CI/CD minutes; null if there is none."),
  extra_shared_runners_minutes_limit: count("Additional CI/CD minutes; null if there are none."),
  identities: computed.listOf(
    {
      provider: text("The identity provider, such as `group_saml`."),
      extern_uid: text("The id of the user at the identity provider."),
      saml_provider_id: count("The id of the group's SAML provider; null for other identity providers."),
    },
    "The identities with which the user signs in.",
  ),
  scim_identities: computed.listOf(
    {
      extern_uid: text("The id of the user at the identity provider."),
      group_id: count("The id of the group that the account is provisioned for."),
      active: flag("Whether the identity is active."),
    },
    "The SCIM identities of the user.",
  ),
};

/** Returns the problem of a time in a filter; undefined for a valid time. */
const checkMoment = (moment: string): string | undefined =>
  isTime(moment, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
    ? undefined
    : `${JSON.stringify(moment)} is not a valid time. Write a time as YYYY-MM-DDTHH:MM:SSZ.`;

const TWO_FACTOR = wordsOf(
  "TwoFactor",
  "Whether users have two-factor authentication.",
  "enabled",
  "disabled",
);

/** The enterprise users of a top-level group (specification, "Enterprise users"). */
export const enterpriseUsers = defineDataSource({
  type: "enterprise_users",
  description:
    "The enterprise users of a top-level group: accounts that the group's organization owns. Some of them may not be " +
    "members of the group. " +
    "The token's user needs the Owner role in this group.",
  attributes: {
    group: required.reference(
      "group",
      "The top-level group, by its numeric id or its path. The service refuses subgroups.",
    ),
    username: optional.string("A username: the list contains only the user with this name."),
    search: optional.string(
      "A text: the list contains only users whose name, e-mail address or username contains this text.",
    ),
    active: optional.bool("If `true`, the list contains only active users. `false` has no effect."),
    blocked: optional.bool("If `true`, the list contains only blocked users. `false` has no effect."),
    created_after: optional.string({
      description:
        "A time, as `YYYY-MM-DDTHH:MM:SSZ`: the list contains only users whose account was created after this time.",
      check: checkMoment,
    }),
    created_before: optional.string({
      description:
        "A time, as `YYYY-MM-DDTHH:MM:SSZ`: the list contains only users whose account was created before this time.",
      check: checkMoment,
    }),
    two_factor: optional.string({
      description: "`enabled`: only users with two-factor authentication. `disabled`: only users without it.",
      ...eitherOf(TWO_FACTOR),
    }),
    users: computed.listOf(user, "The enterprise users."),
  },

  async read({ api }, config) {
    const { group = null, ...filters } = config;
    const list = api.enterpriseUsers.list(String(group), filtersIn<EnterpriseUserFilter>(filters));
    const found = await readOrFail("group", group, list.toArray());
    return { ...config, users: found.map(showUser) };
  },
});

/**
 * Converts a user to the attributes of the schema. The function also converts the fields for which the specification
 * defines no type.
 */
const showUser = (found: EnterpriseUser): ValueObject =>
  Object.fromEntries(
    Object.entries(found).map(([name, value]) => {
      const { kind } = (user as Attributes)[name]?.type ?? {};
      if (kind === "string") return [name, asText(value)];
      return [name, kind === "number" ? asNumber(value) : value];
    }),
  );

const asText = (value: unknown): string | null => (value == null ? null : String(value));
const asNumber = (value: unknown): number | null =>
  value == null || Number.isNaN(Number(value)) ? null : Number(value);
