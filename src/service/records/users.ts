import { z } from "zod";
import { recordOf } from "../http/parameters";
import { identitiesOf, type Profile, scimIdentitiesOf, type User, userById } from "../model/users";
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

const recordOfBasic = recordOf(basicUser);

export const toBasicUser = (user: User, origin: string) =>
  recordOfBasic({ ...user, ...addressesOf(user, origin) });

/** A record with its author in place of the author's id. */
export const withAuthor = <Row extends { readonly author_id: number }>(
  database: Database,
  origin: string,
  { author_id, ...row }: Row,
) => ({ ...row, author: toBasicUser(userById(database, author_id)!, origin) });

const addressesOf = (user: User, origin: string) => ({
  avatar_url: profileOf(user).avatar_url ?? null,
  web_url: webAddress(origin, user.username),
});

/** What is set of a user's profile. */
const profileOf = (user: User) => JSON.parse(user.profile) as { readonly [Name in keyof Profile]?: string };

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

/** What is shown of a profile where it is unset. */
const NO_PROFILE = {
  bio: "",
  location: null,
  public_email: "",
  skype: "",
  linkedin: "",
  twitter: "",
  website_url: "",
  organization: null,
  job_title: "",
  pronouns: null,
  work_information: null,
  last_sign_in_at: null,
  last_activity_on: null,
  current_sign_in_at: null,
};

/** What the service has no use for. */
const FIXED = {
  followers: 0,
  following: 0,
  local_time: null,
  theme_id: 1,
  color_scheme_id: 1,
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
};

const fieldsOf = (database: Database, user: User, origin: string) => ({
  ...FIXED,
  ...NO_PROFILE,
  commit_email: user.email,
  ...profileOf(user),
  ...user,
  ...addressesOf(user, origin),
  identities: identitiesOf(database, user.id),
  can_create_group: user.can_create_group === 1 && user.external === 0,
  can_create_project: user.projects_limit > 0 && user.external === 0,
  scim_identities: scimIdentitiesOf(database, user.id),
});

const recordOfEnterprise = recordOf(enterpriseUser);
const recordOfFull = recordOf(fullUser);

export const toEnterpriseUser = (database: Database, user: User, origin: string) =>
  recordOfEnterprise(fieldsOf(database, user, origin));

export const toFullUser = (database: Database, user: User, origin: string) =>
  recordOfFull(fieldsOf(database, user, origin));
