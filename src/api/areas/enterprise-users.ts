import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { listOperation } from "../calls/operation";
import { flagOrNull, idOrNull, listOf, numberOrNull, scalarOrNull, textOrNull } from "../fields";
import { user, userFilter } from "./users";

const identity = z.object({ provider: textOrNull, extern_uid: textOrNull, saml_provider_id: idOrNull });
const scimIdentity = z.object({ extern_uid: textOrNull, group_id: idOrNull, active: flagOrNull });

const enterpriseUser = z.extend(user, {
  created_at: textOrNull,
  confirmed_at: textOrNull,
  bio: textOrNull,
  public_email: textOrNull,
  skype: textOrNull,
  linkedin: textOrNull,
  twitter: textOrNull,
  website_url: textOrNull,
  job_title: textOrNull,
  commit_email: textOrNull,
  email: textOrNull,
  bot: flagOrNull,
  can_create_group: flagOrNull,
  can_create_project: flagOrNull,
  two_factor_enabled: flagOrNull,
  external: flagOrNull,
  private_profile: flagOrNull,
  followers: numberOrNull,
  following: numberOrNull,
  theme_id: idOrNull,
  color_scheme_id: idOrNull,
  projects_limit: numberOrNull,
  identities: listOf(identity),
  scim_identities: listOf(scimIdentity),
  // The specification shows these fields only as null, and does not define their types.
  location: scalarOrNull,
  organization: scalarOrNull,
  pronouns: scalarOrNull,
  work_information: scalarOrNull,
  local_time: scalarOrNull,
  last_sign_in_at: scalarOrNull,
  last_activity_on: scalarOrNull,
  current_sign_in_at: scalarOrNull,
  shared_runners_minutes_limit: scalarOrNull,
  extra_shared_runners_minutes_limit: scalarOrNull,
});

/** An enterprise user (specification, "Enterprise user"). */
export type EnterpriseUser = z.output<typeof enterpriseUser>;

const filter = z.extend(userFilter, {
  created_after: z.optional(z.string()),
  created_before: z.optional(z.string()),
  two_factor: z.optional(z.enum(["enabled", "disabled"])),
});

/** Filters of a list of enterprise users; times are written `YYYY-MM-DDTHH:MM:SSZ`. */
export type EnterpriseUserFilter = z.input<typeof filter>;

/** Enterprise users of a top-level group (specification, "Enterprise users"). Calls need the Owner role in this group. */
export const enterpriseUsers = defineArea("enterpriseUsers", "Enterprise users", {
  /**
   * Lists the enterprise users of a top-level group. Fails with `bad_request` for a subgroup, and with `forbidden`
   * without the Owner role.
   */
  list: listOperation("/groups/:group/enterprise_users", {
    summary: "Lists the enterprise users of a top-level group; for its owners.",
    parameters: filter,
    answer: enterpriseUser,
  }),
});
