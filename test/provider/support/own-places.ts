import type { FixtureInput } from "cdktf-provider-steward/testing";
import { PROVIDER_NAME } from "../../../src/provider";
import { containerOf, SAMPLES } from "../samples";
import { FIXTURE, PEOPLE } from "./world";

type Groups = NonNullable<FixtureInput["groups"]>;
type Projects = NonNullable<FixtureInput["projects"]>;

/** Returns the path of a project or group that contains only the sample of one type. */
export const ownPath = (type: string): string =>
  `acme/own-${type.slice(PROVIDER_NAME.length + 1).replaceAll("_", "-")}`;

const ofKind = (kind: "project" | "group") =>
  Object.keys(SAMPLES).filter((type) => containerOf(type) === kind);

/**
 * Returns a separate project or group in the group acme for each resource. Each project or group contains everything
 * that the sample of its resource needs.
 */
export const ownPlaces = (): { readonly groups: Groups; readonly projects: Projects } => ({
  groups: ofKind("group").map((type) => ({ path: ownPath(type) })),
  projects: ofKind("project").map((type) => ({
    path: ownPath(type),
    ...PEOPLE,
    ...SAMPLES[type]!.container,
  })),
});

const invitations = [{ email: "ada@example.com", role: "developer" as const }];

/**
 * The content of the project acme/web. With this content, each list that a data source reads has at least one record.
 */
export const FILLED_WEB: Omit<Projects[number], "path"> = {
  ...PEOPLE,
  invitations,
  job_token_scope: { projects: ["acme/tools"], groups: ["acme/platform"] },
  container_rules: [{ repository_path_pattern: "acme/web/*", minimum_access_level_for_push: "admin" }],
  protected_environments: [
    {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ user: "devon" }],
    },
  ],
};

/** The content of the group acme/platform. */
export const FILLED_PLATFORM: Omit<Groups[number], "path"> = { invitations };

/** A user whose record has at least one element in every list. */
export const FILLED_USER: NonNullable<FixtureInput["users"]>[number] = {
  username: "grace",
  enterprise_group: "acme",
  identities: [{ provider: "group_saml", extern_uid: "g" }],
  scim_identities: [{ group: "acme", extern_uid: "g" }],
};

/** Returns the samples' fixture with all these places. Only one of these projects has a domain for Pages. */
export const withOwnPlaces = (): FixtureInput => {
  const { groups, projects } = ownPlaces();
  return {
    ...FIXTURE,
    groups: [...FIXTURE.groups!, ...groups],
    projects: [...FIXTURE.projects!.map(({ pages: _, ...others }) => others), ...projects],
  };
};
