import { createHash } from "node:crypto";
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
import type { Note } from "./notes";

// Invented names are made from a hash of the original, so that equal names stay equal without a table of them. That hides
// names from readers, not from somebody who guesses a name and computes its hash.

const FIRST = (
  "amber ashen azure birch brave brisk calm cedar clear cobalt coral crisp dapper dusky eager early fabled fern fleet " +
  "frosty gentle gilded golden granite happy hazel hidden humble indigo ivory jade jolly keen lively lunar maple mellow " +
  "mossy noble olive opal patient pearl plain polar proud quiet rapid rosy rustic sandy scarlet silent silver solar " +
  "steady sunny swift tidy velvet violet wild"
).split(" ");
const SECOND = (
  "badger beacon beaver bison breeze brook canyon cliff comet condor coyote crane creek delta dune eagle falcon finch " +
  "forest fox garden glacier grove harbor hawk heron island jaguar kestrel lagoon lake lark lynx marten meadow moose " +
  "mountain ocelot orchard osprey otter owl panda pebble pine plover prairie quail raven reef ridge river robin salmon " +
  "sparrow spring summit swallow thicket tundra valley walnut willow wren"
).split(" ");

const hashOf = (kind: string, text: string): Buffer =>
  createHash("sha256").update(`${kind}\0${text}`).digest();

interface Invented {
  readonly first: string;
  readonly second: string;
  readonly mark: string;
}

/** Two words and 32 bits: two names of one snapshot become equal with a chance of about one in a million. */
function invented(kind: string, text: string): Invented {
  const hash = hashOf(kind, text);
  return {
    first: FIRST[hash[0]! % FIRST.length]!,
    second: SECOND[hash[1]! % SECOND.length]!,
    mark: hash.subarray(2, 6).toString("hex"),
  };
}

/**
 * A segment of a path, or a username: both name namespaces. The service ignores their case, and so does this.
 *
 * @example "amber-heron-1f3c9a2e"
 */
export function inventSlug(text: string): string {
  const { first, second, mark } = invented("slug", text.toLowerCase());
  return `${first}-${second}-${mark}`;
}

export const inventPath = (path: string): string => path.split("/").map(inventSlug).join("/");

/** A display name, such as "Amber Heron 1f3c9a2e": never equal to an invented path or username. */
export function inventName(text: string): string {
  const { first, second, mark } = invented("name", text);
  return `${capitalized(first)} ${capitalized(second)} ${mark}`;
}

export function inventText(text: string): string {
  const { first, second, mark } = invented("text", text);
  return `About the ${first} ${second}, ${mark}`;
}

/** The domain that the embedded service gives to users without an address of their own. */
const USUAL_DOMAIN = "example.com";

/** An address at an invented domain. The local part is invented like a username, of which most addresses are made. */
export function inventEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  return `${inventSlug(email.slice(0, at))}@${domain === USUAL_DOMAIN ? domain : inventDomain(domain)}`;
}

export const inventDomain = (domain: string): string => `${inventSlug(domain)}.example`;

/** The segments of a container rule's pattern as in a path; `*` stays. */
export const inventPattern = (pattern: string): string =>
  pattern
    .split("/")
    .map((segment) =>
      segment
        .split("*")
        .map((text) => (text === "" ? "" : inventCased(text)))
        .join("*"),
    )
    .join("/");

/** Patterns may differ in case alone, and must stay different. */
const inventCased = (text: string): string =>
  text === text.toLowerCase()
    ? inventSlug(text)
    : `${inventSlug(text)}-${hashOf("case", text).subarray(0, 2).toString("hex")}`;

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

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
