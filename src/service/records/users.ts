import { z } from "zod";
import { identitiesOf, type Profile, scimIdentitiesOf, type User } from "../model/users";
import type { Database } from "../store/database";
import { webAddress } from "./projects";

/** The public fields of a user. */
export const basicUser = z
  .object({
    id: z.int(),
    username: z.string(),
    name: z.string(),
    state: z.string(),
    avatar_url: z.string().nullable(),
    web_url: z.string(),
  })
  .meta({ id: "BasicUser" });

export const toBasicUser = (user: User, origin: string): z.output<typeof basicUser> => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state,
  avatar_url: profileOf(user).avatar_url ?? null,
  web_url: webAddress(origin, user.username),
});

const profileOf = (user: User): Profile => JSON.parse(user.profile) as Profile;

const text = () => z.string().nullable();

/** All fields of a user except `is_admin` (specification, Enterprise user). */
export const enterpriseUser = basicUser
  .extend({
    created_at: z.iso.datetime(),
    bio: text(),
    location: text(),
    public_email: text(),
    skype: text(),
    linkedin: text(),
    twitter: text(),
    website_url: text(),
    organization: text(),
    job_title: text(),
    pronouns: text(),
    bot: z.boolean(),
    work_information: text(),
    followers: z.int(),
    following: z.int(),
    local_time: text(),
    last_sign_in_at: text(),
    confirmed_at: z.iso.datetime().nullable(),
    last_activity_on: text(),
    email: z.string(),
    theme_id: z.int(),
    color_scheme_id: z.int(),
    projects_limit: z.int(),
    current_sign_in_at: text(),
    identities: z.array(
      z.object({ provider: z.string(), extern_uid: z.string(), saml_provider_id: z.int().nullable() }),
    ),
    can_create_group: z.boolean(),
    can_create_project: z.boolean(),
    two_factor_enabled: z.boolean(),
    external: z.boolean(),
    private_profile: z.boolean(),
    commit_email: z.string(),
    shared_runners_minutes_limit: z.int().nullable(),
    extra_shared_runners_minutes_limit: z.int().nullable(),
    scim_identities: z.array(z.object({ extern_uid: z.string(), group_id: z.int(), active: z.boolean() })),
  })
  .meta({ id: "EnterpriseUser" });

/** The record of `GET /user`, and of any user for an administrator. */
export const fullUser = enterpriseUser.extend({ is_admin: z.boolean() }).meta({ id: "User" });

/** A profile field that is empty if unset. */
const textOrEmpty = (value: string | undefined): string => value ?? "";

export function toEnterpriseUser(
  database: Database,
  user: User,
  origin: string,
): z.output<typeof enterpriseUser> {
  const profile = profileOf(user);
  return {
    ...toBasicUser(user, origin),
    created_at: user.createdAt,
    bio: textOrEmpty(profile.bio),
    location: profile.location ?? null,
    public_email: textOrEmpty(profile.public_email),
    skype: textOrEmpty(profile.skype),
    linkedin: textOrEmpty(profile.linkedin),
    twitter: textOrEmpty(profile.twitter),
    website_url: textOrEmpty(profile.website_url),
    organization: profile.organization ?? null,
    job_title: textOrEmpty(profile.job_title),
    pronouns: profile.pronouns ?? null,
    bot: user.bot === 1,
    work_information: profile.work_information ?? null,
    followers: 0,
    following: 0,
    local_time: null,
    last_sign_in_at: profile.last_sign_in_at ?? null,
    confirmed_at: user.confirmedAt,
    last_activity_on: profile.last_activity_on ?? null,
    email: user.email,
    theme_id: 1,
    color_scheme_id: 1,
    projects_limit: user.projectsLimit,
    current_sign_in_at: profile.current_sign_in_at ?? null,
    identities: identitiesOf(database, user.id),
    can_create_group: user.canCreateGroup === 1 && user.external === 0,
    can_create_project: user.projectsLimit > 0 && user.external === 0,
    two_factor_enabled: user.twoFactorEnabled === 1,
    external: user.external === 1,
    private_profile: user.privateProfile === 1,
    commit_email: profile.commit_email ?? user.email,
    shared_runners_minutes_limit: null,
    extra_shared_runners_minutes_limit: null,
    scim_identities: scimIdentitiesOf(database, user.id),
  };
}

export const toFullUser = (database: Database, user: User, origin: string): z.output<typeof fullUser> => ({
  ...toEnterpriseUser(database, user, origin),
  is_admin: user.isAdmin === 1,
});
