import type {
  ContainerData,
  EntryData,
  EnvironmentData,
  FixtureData,
  GroupData,
  InvitationData,
  PagesData,
  ProjectData,
  UserData,
} from "./fixture-data";
import {
  inventDomain,
  inventEmail,
  inventName,
  inventPath,
  inventPattern,
  inventSlug,
  inventText,
} from "./invent";
import type { Note } from "./notes";

/**
 * Replaces names that tell about people, customers or projects by invented ones. The same name always becomes the same
 * invented name, in any snapshot, so that references still agree. Numeric ids, levels, dates and names of environments stay.
 */
export function anonymized(
  data: FixtureData,
  notes: readonly Note[],
): readonly [data: FixtureData, notes: readonly Note[]] {
  const { instance, users, groups, projects } = data;
  const host = instance?.pages_host;
  return [
    {
      instance: instance && { ...instance, pages_host: host && inventDomain(host) },
      users: users.map(userIn),
      groups: groups.map(groupIn),
      projects: projects.map(projectIn),
    },
    notes.map((note) => ({ ...note, container: inventPath(note.container) })),
  ];
}

const userIn = ({ username, name, email, ...user }: UserData): UserData => ({
  username: inventSlug(username),
  id: user.id,
  name: name && inventName(name),
  email: email && inventEmail(email),
  state: user.state,
});

function containerIn<Data extends ContainerData>(container: Data): Data {
  const { path, name, description, members, shared_with, invitations } = container;
  return {
    ...container,
    path: inventPath(path),
    name: name && inventName(name),
    description: description && inventText(description),
    members: members?.map(({ user, ...member }) => ({ user: inventSlug(user), ...member })),
    shared_with: shared_with?.map(({ group, ...share }) => ({ group: inventPath(group), ...share })),
    invitations: invitations?.map(invitationIn),
  };
}

const invitationIn = ({ email, created_by, queued_user, ...invitation }: InvitationData): InvitationData => ({
  email: inventEmail(email),
  ...invitation,
  created_by: created_by && inventSlug(created_by),
  queued_user: queued_user && inventSlug(queued_user),
});

const groupIn = (group: GroupData): GroupData => ({
  ...containerIn(group),
  member_roles: group.member_roles?.map((role) => ({ ...role, name: inventName(role.name) })),
});

/** Names that everybody uses. */
const USUAL_BRANCHES: ReadonlySet<string> = new Set(["main", "master", "develop", "trunk"]);
const USUAL_FOLDERS: ReadonlySet<string> = new Set(["public"]);

const projectIn = (project: ProjectData): ProjectData => {
  const { default_branch, job_token_scope, protected_environments } = project;
  return {
    ...containerIn(project),
    default_branch:
      default_branch === undefined || USUAL_BRANCHES.has(default_branch)
        ? default_branch
        : inventSlug(default_branch),
    topics: project.topics?.map(inventSlug),
    environments: project.environments?.map(environmentIn),
    job_token_scope: job_token_scope && {
      ...job_token_scope,
      projects: job_token_scope.projects?.map(inventPath),
      groups: job_token_scope.groups?.map(inventPath),
    },
    protected_environments: protected_environments?.map((protection) => ({
      ...protection,
      deploy_access_levels: protection.deploy_access_levels.map(entryIn),
      approval_rules: protection.approval_rules?.map(entryIn),
    })),
    pages: project.pages && pagesIn(project.pages),
    container_rules: project.container_rules?.map((rule) => ({
      ...rule,
      repository_path_pattern: inventPattern(rule.repository_path_pattern),
    })),
  };
};

const environmentIn = (environment: string | EnvironmentData): string | EnvironmentData =>
  typeof environment === "string"
    ? environment
    : {
        ...environment,
        external_url: environment.external_url && `https://${inventDomain(environment.external_url)}`,
        description: environment.description && inventText(environment.description),
      };

const entryIn = ({ user, group, ...entry }: EntryData): EntryData => ({
  ...(user !== undefined && { user: inventSlug(user) }),
  ...(group !== undefined && { group: inventPath(group) }),
  ...entry,
});

const pagesIn = (pages: PagesData): PagesData => ({
  ...pages,
  primary_domain: pages.primary_domain && inPrimaryForm(pages.primary_domain),
  domains: pages.domains?.map(inventDomain),
  deployments: pages.deployments?.map(({ path_prefix, root_directory, ...deployment }) => ({
    path_prefix: path_prefix && inventSlug(path_prefix),
    ...deployment,
    root_directory:
      root_directory === undefined || USUAL_FOLDERS.has(root_directory)
        ? root_directory
        : inventSlug(root_directory),
  })),
});

/** A host stays a host, and a URL a URL. */
function inPrimaryForm(domain: string): string {
  const host = domain.replace(/^https:\/\//i, "");
  return `${host === domain ? "" : "https://"}${inventDomain(host)}`;
}
