import type { ApprovalRule, DeployAccessLevel, PagesSettings } from "../api";
import { dateText, type FixtureEntry, given, otherThan } from "./fixture-data";
import type { People } from "./people";
import type { LiveProject, ProjectSettings } from "./read-containers";

/** Names by which a fixture refers to what has ids. */
export interface ProjectContext {
  readonly people: Pick<People, "username">;
  groupPath(id: number): string | undefined;
  projectPath(id: number): string | undefined;
}

/** The settings that only projects have. */
export const toProjectData = ({ record, settings }: LiveProject, context: ProjectContext) => ({
  default_branch: otherThan("main", record?.default_branch),
  topics: given(record?.topics ?? []),
  archived: record?.archived ? true : undefined,
  ...(settings && {
    environments: given((settings.environments ?? []).map(toEnvironment)),
    job_token_scope: toScope(settings, context),
    protected_environments: given((settings.protectedEnvironments ?? []).flatMap(protectionIn(context))),
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

const toScope = (
  { scope, allowedProjects = [], allowedGroups = [] }: ProjectSettings,
  { projectPath, groupPath }: ProjectContext,
) =>
  unlessEmpty({
    inbound_enabled: scope?.inbound_enabled === false ? false : undefined,
    outbound_enabled: scope?.outbound_enabled ? true : undefined,
    projects: given(allowedProjects.map(({ id, path_with_namespace: path }) => projectPath(id) ?? path)),
    groups: given(allowedGroups.flatMap(({ id }) => groupPath(id) ?? [])),
  });

const protectionIn =
  (context: ProjectContext) =>
  (environment: NonNullable<ProjectSettings["protectedEnvironments"]>[number]) => {
    const levels = environment.deploy_access_levels.flatMap((entry) => toEntry(entry, context));
    // A fixture can't protect an environment that nobody may deploy to.
    if (levels.length === 0) return [];
    return [
      {
        name: environment.name,
        required_approval_count: environment.required_approval_count || undefined,
        deploy_access_levels: levels,
        approval_rules: given(environment.approval_rules.flatMap((entry) => toEntry(entry, context))),
      },
    ];
  };

function toEntry(
  entry: DeployAccessLevel & Partial<Pick<ApprovalRule, "required_approvals">>,
  { people, groupPath }: ProjectContext,
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
    const group = groupPath(entry.group_id);
    return group === undefined ? [] : [{ group, ...details }];
  }
  return entry.access_level === null ? [] : [{ access_level: entry.access_level, ...details }];
}

function toPages({ pages, domains = [] }: ProjectSettings) {
  if (pages === undefined) return undefined;
  const names = domains.map(({ domain }) => domain);
  const primary = pages.primary_domain || undefined;
  const primaryHost = primary?.replace(/^https:\/\//i, "");
  const isListed = names.some((name) => name.toLowerCase() === primaryHost?.toLowerCase());
  return unlessEmpty({
    unique_domain_enabled: pages.is_unique_domain_enabled ? true : undefined,
    force_https: pages.force_https === false ? false : undefined,
    primary_domain: primary,
    // The list may be hidden from this token.
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

const toRules = ({ rules = [] }: ProjectSettings) =>
  rules.map((rule) => ({
    id: rule.id,
    repository_path_pattern: rule.repository_path_pattern,
    minimum_access_level_for_push: rule.minimum_access_level_for_push || undefined,
    minimum_access_level_for_delete: rule.minimum_access_level_for_delete || undefined,
  }));

const unlessEmpty = <Data extends object>(data: Data): Data | undefined =>
  Object.values(data).every((value) => value === undefined) ? undefined : data;

/** The embedded service's own host of Pages. */
const USUAL_PAGES_HOST = "pages.example.com";

/** The host below which Pages are served, if it is the same for all projects; undefined if it is the default. */
export function pagesHostOf(projects: readonly LiveProject[]): string | undefined {
  const hosts = projects.flatMap(({ path, settings }) =>
    settings?.pages ? (pagesHost(path, settings.pages) ?? []) : [],
  );
  const [host, ...others] = [...new Set(hosts)];
  return others.length > 0 ? undefined : otherThan(USUAL_PAGES_HOST, host);
}

/** `http://<top-level group>.<host>/<rest of the path>`, or `http://<unique name>.<host>`. */
function pagesHost(path: string, { url, is_unique_domain_enabled }: PagesSettings): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined;
  const { host } = new URL(url);
  const label = is_unique_domain_enabled ? host.split(".")[0] : path.split("/")[0]!.toLowerCase();
  return host.startsWith(`${label}.`) ? host.slice(label!.length + 1) : undefined;
}
