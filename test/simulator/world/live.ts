import { applicationSetting } from "../../../src/service/store/application-settings";
import type { Database } from "../../../src/service/store/database";
import { GROUPS, PROJECTS, USERS } from "./company";
import { pagesText } from "./objects";

/**
 * The live objects: the content of each, by its identity. `attributesOf` in `objects.ts` has the contents that can be
 * declared.
 */
export type Live = ReadonlyMap<string, string>;

const byId = (ids: Readonly<Record<string, number>>): ReadonlyMap<number, string> =>
  new Map(Object.entries(ids).map(([name, id]) => [id, name]));
const projects = byId(PROJECTS);
const groups = byId(GROUPS);
const users = byId(USERS);

interface Rule {
  readonly environment: number;
  readonly kind: string;
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly required_approvals: number;
}

interface PagesRow {
  readonly project: number;
  readonly unique: number;
  readonly https: number;
  readonly domain: string | null;
}

/** The content of Pages settings before any change. */
const FRESH_PAGES = pagesText({ unique: false, https: true, domain: "" });

const hostOf = (domain: string): string => domain.replace(/^https?:\/\//, "");

/** Reads the live objects from the tables of the service. The function does not use the handlers of the service. */
export function readLive(database: Database): Live {
  const live = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const isEnforced = applicationSetting(database, "enforce_ci_inbound_job_token_scope_enabled");
  for (const { id, inbound } of database.all<{ id: number; inbound: number }>(
    "SELECT id, inbound_enabled AS inbound FROM projects",
  )) {
    const name = projects.get(id)!;
    live.set(`scope ${name} `, inbound === 1 || isEnforced ? "on" : "off");
    live.set(`pages ${name} `, FRESH_PAGES);
    lists.set(name, []);
  }
  for (const { project, unique, https, domain } of database.all<PagesRow>(
    `SELECT project_id AS project, unique_domain_enabled AS "unique", https_only AS https, primary_domain AS domain
       FROM pages_settings`,
  )) {
    const settings = { unique: unique === 1, https: https === 1, domain: hostOf(domain ?? "") };
    live.set(`pages ${projects.get(project)} `, pagesText(settings));
  }
  const addEntry = (kind: string, project: number, target: string | undefined): void => {
    const name = projects.get(project)!;
    live.set(`${kind} ${name} ${target}`, "there");
    lists.get(name)!.push(String(target));
  };
  for (const { project, target } of database.all<{ project: number; target: number }>(
    "SELECT project_id AS project, target_project_id AS target FROM allowlist_projects",
  ))
    if (project !== target) addEntry("entry", project, projects.get(target));
  for (const { project, target } of database.all<{ project: number; target: number }>(
    "SELECT project_id AS project, target_group_id AS target FROM allowlist_groups",
  ))
    addEntry("group_entry", project, groups.get(target));
  for (const [name, entries] of lists) live.set(`list ${name} `, entries.sort().join(" "));
  addEnvironments(database, live);
  for (const row of database.all<{
    project: number;
    pattern: string;
    push: string | null;
    remove: string | null;
  }>(
    `SELECT project_id AS project, repository_path_pattern AS pattern, minimum_access_level_for_push AS push,
       minimum_access_level_for_delete AS remove FROM container_rules`,
  )) {
    const name = projects.get(row.project)!;
    const key = row.pattern.replace(`acme/${name}/`, "");
    live.set(`rule ${name} ${key}`, `push ${row.push ?? "-"}; delete ${row.remove ?? "-"}`);
  }
  for (const row of database.all<{
    project: number | null;
    group_id: number | null;
    email: string;
    level: number;
  }>("SELECT project_id AS project, group_id, email, access_level AS level FROM invitations")) {
    const identity =
      row.project === null
        ? `group_invitation ${groups.get(row.group_id!)} ${row.email}`
        : `invitation ${projects.get(row.project)} ${row.email}`;
    live.set(identity, `level ${row.level}`);
  }
  return live;
}

function addEnvironments(database: Database, live: Map<string, string>): void {
  const environments = database.all<{ id: number; project: number; name: string }>(
    "SELECT id, project_id AS project, name FROM protected_environments",
  );
  if (environments.length === 0) return;
  const rules = database.all<Rule>(
    `SELECT protected_environment_id AS environment, kind, access_level, user_id, group_id, required_approvals
       FROM environment_rules`,
  );
  for (const { id, project, name } of environments) {
    const own = rules.filter(({ environment }) => environment === id);
    const words = (kind: string) =>
      own
        .filter((rule) => rule.kind === kind)
        .map((rule) => (kind === "deploy" ? whoOf(rule) : `${whoOf(rule)}x${rule.required_approvals}`))
        .sort()
        .join(" ");
    live.set(
      `environment ${projects.get(project)} ${name}`,
      `deploy ${words("deploy")}; approve ${words("approval")}`,
    );
  }
}

const whoOf = ({ access_level, user_id, group_id }: Rule): string => {
  if (access_level !== null) return `level:${access_level}`;
  return user_id !== null ? `user:${users.get(user_id)}` : `group:${groups.get(group_id!)}`;
};

/** Returns true for settings and lists, which exist whether they are declared or not. */
export const existsAnyway = (identity: string): boolean =>
  identity.startsWith("scope ") || identity.startsWith("pages ") || identity.startsWith("list ");

export interface LiveChange {
  readonly identity: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function changesBetween(before: Live, after: Live): LiveChange[] {
  const changes: LiveChange[] = [];
  for (const [identity, content] of before)
    if (after.get(identity) !== content)
      changes.push({ identity, before: content, after: after.get(identity) });
  for (const [identity, content] of after)
    if (!before.has(identity)) changes.push({ identity, before: undefined, after: content });
  return changes;
}
