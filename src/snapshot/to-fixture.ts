import type { ApprovalRule, DeployAccessLevel, PagesSettings } from "../api";
import { dateText, type FixtureData, type FixtureEntry, given, otherThan, roleWord } from "./fixture-data";
import { type CustomRole, customRolesOf, type LiveUser, type People } from "./people";
import { type LiveGroup, type LiveProject, type ProjectSettings, parentOf } from "./read-containers";

/** Everything that a snapshot read. */
export interface LiveData {
  readonly groups: ReadonlyMap<number, LiveGroup>;
  readonly projects: ReadonlyMap<number, LiveProject>;
  readonly people: People;
  /** Whether Pages is disabled on the whole instance. */
  readonly isWithoutPages: boolean;
}

/** Converts the read containers to a fixture, without settings that have the embedded service's defaults. */
export function toFixture(live: LiveData): FixtureData {
  const { people } = live;
  const groups = [...live.groups.values()];
  const projects = [...live.projects.values()];
  const roles = customRolesOf([...groups, ...projects]);
  const pages_host = pagesHostOf(projects);
  const pages_enabled = live.isWithoutPages ? false : undefined;
  const declared = groups.map((group) => ({
    ...toContainerData(group, people, roles),
    member_roles: given(
      [...roles.values()].filter((role) => role.group === group.path).map(({ group: _, ...role }) => role),
    ),
  }));
  return {
    instance: unlessEmpty({ pages_enabled, pages_host }),
    users: toUsersData(people.all),
    groups: [...declared, ...missingAbove(declared, projects, people)],
    projects: projects.map((project) => ({
      ...toContainerData(project, people, roles),
      ...toProjectData(project, live),
    })),
  };
}

function toContainerData(
  { id, path, record, members = [], shares = [], invitations = [] }: LiveGroup | LiveProject,
  people: People,
  roles: ReadonlyMap<number, CustomRole>,
) {
  return {
    path,
    id,
    name: otherThan(path.slice(path.lastIndexOf("/") + 1), record?.name),
    description: record?.description || undefined,
    visibility: otherThan("private", record?.visibility),
    members: given(
      withRole(members, (member) => ({
        user: member.username,
        role: roleWord(member.access_level),
        member_role: roles.get(member.member_role?.id ?? Number.NaN)?.id,
        expires_at: dateText(member.expires_at),
      })),
    ),
    shared_with: given(
      withRole(shares, (share) => ({
        group: share.group_full_path,
        role: roleWord(share.group_access_level),
        expires_at: dateText(share.expires_at),
      })),
    ),
    invitations: given(
      withRole(invitations, (invitation) => ({
        email: invitation.invite_email,
        role: roleWord(invitation.access_level),
        expires_at: dateText(invitation.expires_at),
        created_at: dateText(invitation.created_at),
        created_by: people.creatorOf(invitation)?.username,
        queued_user: people.queuedFor(invitation)?.username,
      })),
    ),
  };
}

/** Returns the entries whose level has a name in fixtures. */
const withRole = <Live, Entry extends { readonly role: string | undefined }>(
  all: readonly Live[],
  toEntry: (one: Live) => Entry,
): Entry[] => all.map(toEntry).filter(({ role }) => role !== undefined);

/**
 * Returns the groups that no request returned. Each of them is a parent of a group that the token can't see.
 */
function missingAbove(
  groups: readonly { readonly path: string }[],
  projects: readonly LiveProject[],
  people: People,
): { readonly path: string }[] {
  const known = new Set([...groups.map(({ path }) => path), ...people.all.map(({ username }) => username)]);
  const missing = new Set<string>();
  for (const { path } of [...groups, ...projects]) {
    for (let above = parentOf(path); above !== undefined; above = parentOf(above)) {
      if (!known.has(above)) missing.add(above);
    }
  }
  return [...missing].map((path) => ({ path }));
}

const STATES: ReadonlySet<string> = new Set(["active", "blocked", "deactivated", "banned"]);

function toUsersData(users: readonly LiveUser[]) {
  const addresses = new Map(
    users.flatMap(({ email, id }) => (email === null ? [] : [[email.toLowerCase(), id]])),
  );
  return users.map(({ id, username, name, state, email }) => {
    const usual = `${username}@example.com`;
    const isTaken = addresses.has(usual.toLowerCase()) && addresses.get(usual.toLowerCase()) !== id;
    // The embedded service gives a user without an address the usual address, so that address must not belong to another user.
    const address = email ?? (isTaken ? `${id}.${usual}` : usual);
    return {
      username,
      id,
      name: otherThan(username, name),
      email: otherThan(usual, address),
      state: otherThan("active", stateOf(state)),
    };
  });
}

/**
 * Returns the state of a user in the fixture; undefined for an unknown state. The live platform has several states for
 * blocked users.
 */
const stateOf = (state: string | null): string | undefined => {
  if (state === null || STATES.has(state)) return state ?? undefined;
  return state.includes("block") ? "blocked" : undefined;
};

/** Returns the fields of a fixture that only projects have. */
const toProjectData = ({ record, settings }: LiveProject, live: LiveData) => ({
  default_branch: otherThan("main", record?.default_branch),
  topics: given(record?.topics ?? []),
  archived: record?.archived ? true : undefined,
  ...(settings && {
    environments: given((settings.environments ?? []).map(toEnvironment)),
    job_token_scope: toScope(settings, live),
    protected_environments: given((settings.protectedEnvironments ?? []).flatMap(protectionIn(live))),
    pages: toPages(settings),
    container_rules: given(toRules(settings)),
  }),
});

const TIERS: ReadonlySet<string> = new Set(["production", "staging", "testing", "development"]);

function toEnvironment({
  name,
  tier,
  external_url,
  description,
}: NonNullable<ProjectSettings["environments"]>[number]) {
  const isOrdinary = tier === null || !TIERS.has(tier);
  if (isOrdinary && !external_url && !description) return name;
  return {
    name,
    tier: isOrdinary ? undefined : tier,
    external_url: external_url || undefined,
    description: description || undefined,
  };
}

const toScope = ({ scope, allowlists }: ProjectSettings, { projects, groups }: LiveData) =>
  unlessEmpty({
    inbound_enabled: scope?.inbound_enabled === false ? false : undefined,
    outbound_enabled: scope?.outbound_enabled ? true : undefined,
    projects: given(
      (allowlists.projects ?? []).map(
        ({ id, path_with_namespace }) => projects.get(id)?.path ?? path_with_namespace,
      ),
    ),
    groups: given((allowlists.groups ?? []).flatMap(({ id }) => groups.get(id)?.path ?? [])),
  });

const protectionIn =
  (live: LiveData) => (environment: NonNullable<ProjectSettings["protectedEnvironments"]>[number]) => {
    const levels = environment.deploy_access_levels.flatMap((entry) => toEntry(entry, live));
    // A fixture can't protect an environment without people who can deploy.
    if (levels.length === 0) return [];
    return [
      {
        name: environment.name,
        required_approval_count: environment.required_approval_count || undefined,
        deploy_access_levels: levels,
        approval_rules: given(environment.approval_rules.flatMap((entry) => toEntry(entry, live))),
      },
    ];
  };

function toEntry(
  entry: DeployAccessLevel & Partial<Pick<ApprovalRule, "required_approvals">>,
  { people, groups }: LiveData,
): FixtureEntry[] {
  const details = {
    group_inheritance_type: entry.group_inheritance_type || undefined,
    required_approvals: otherThan(1, entry.required_approvals),
  };
  if (entry.user_id !== null) {
    const user = people.username(entry.user_id);
    return user === undefined ? [] : [{ user, ...details }];
  }
  if (entry.group_id !== null) {
    const group = groups.get(entry.group_id)?.path;
    return group === undefined ? [] : [{ group, ...details }];
  }
  return entry.access_level === null ? [] : [{ access_level: entry.access_level, ...details }];
}

function toPages({ pages }: ProjectSettings) {
  if (pages === undefined) return undefined;
  const names = pages.domains.map(({ domain }) => domain);
  const primary = pages.primary_domain || undefined;
  const primaryHost = primary?.replace(/^https:\/\//i, "");
  const isListed = names.some((name) => name.toLowerCase() === primaryHost?.toLowerCase());
  return unlessEmpty({
    unique_domain_enabled: pages.is_unique_domain_enabled ? true : undefined,
    force_https: pages.force_https === false ? false : undefined,
    primary_domain: primary,
    // The service may hide the list of domains from this token, so the primary domain is added.
    domains: given(primaryHost === undefined || isListed ? names : [...names, primaryHost]),
    deployments: given(
      pages.deployments.map((deployment) => ({
        path_prefix: deployment.path_prefix || undefined,
        created_at: dateText(deployment.created_at),
        root_directory: deployment.root_directory ?? undefined,
      })),
    ),
  });
}

const toRules = ({ rules }: ProjectSettings) =>
  (rules ?? []).map((rule) => ({
    id: rule.id,
    repository_path_pattern: rule.repository_path_pattern,
    minimum_access_level_for_push: rule.minimum_access_level_for_push || undefined,
    minimum_access_level_for_delete: rule.minimum_access_level_for_delete || undefined,
  }));

const unlessEmpty = <Data extends object>(data: Data): Data | undefined =>
  Object.values(data).every((value) => value === undefined) ? undefined : data;

/** The default host of Pages in the embedded service. */
const USUAL_PAGES_HOST = "pages.example.com";

/**
 * Returns the host below which Pages are served. Returns undefined if the host is the default, or if projects have
 * different hosts.
 */
function pagesHostOf(projects: readonly LiveProject[]): string | undefined {
  const hosts = projects.flatMap(({ path, settings }) =>
    settings?.pages ? (pagesHost(path, settings.pages) ?? []) : [],
  );
  const [host, ...others] = [...new Set(hosts)];
  return others.length > 0 ? undefined : otherThan(USUAL_PAGES_HOST, host);
}

/**
 * Returns the host in a Pages URL: `http://<top-level group>.<host>/<rest of the path>`, or `http://<unique
 * name>.<host>`. Returns undefined for a URL of another form.
 */
function pagesHost(path: string, { url, is_unique_domain_enabled }: PagesSettings): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined;
  const { host } = new URL(url);
  const label = is_unique_domain_enabled ? host.split(".")[0] : path.split("/")[0]!.toLowerCase();
  return host.startsWith(`${label}.`) ? host.slice(label!.length + 1) : undefined;
}
