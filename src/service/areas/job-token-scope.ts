import { z } from "zod";
import type { Caller } from "../access/caller";
import { LEVEL } from "../access/roles";
import { ALLOWLISTS, type EntryKind } from "../compat/differences";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { notFound, refused } from "../http/errors";
import { id } from "../http/parameters";
import { findGroup, type Group, maySeeGroup, selectGroups, visibleGroups } from "../model/groups";
import { findProject, maySeeProject, type Project, projectLoader, visibleProjects } from "../model/projects";
import { groupWebAddress, limitedProject, toLimitedProject } from "../records/projects";
import { inMode } from "../settings/settings";
import { type Database, refuseDuplicates } from "../store/database";
import { type Condition, type Selection, where } from "../store/selection";

const section = "Job token scope (project)";
const access = ofProject(LEVEL.maintainer);

const getScope = endpoint({
  method: "GET",
  path: "/projects/:id/job_token_scope",
  summary: "Job token scope settings",
  access,
  answer: z
    .object({ inbound_enabled: z.boolean(), outbound_enabled: z.boolean() })
    .meta({ id: "JobTokenScope" }),
  handle: ({ target }) => ({
    inbound_enabled: target.inboundEnabled === 1,
    outbound_enabled: target.outboundEnabled === 1,
  }),
});

const changeScope = endpoint({
  method: "PATCH",
  path: "/projects/:id/job_token_scope",
  summary: "Switch 'limit access to this project' on or off",
  access,
  input: { enabled: z.boolean() },
  handle: ({ database, target, input }) => {
    database.run("UPDATE projects SET inbound_enabled = ? WHERE id = ?", input.enabled, target.id);
    return undefined;
  },
});

const listProjects = listEndpoint({
  method: "GET",
  path: "/projects/:id/job_token_scope/allowlist",
  summary: "Projects on the inbound allowlist that the caller may see",
  access,
  entry: limitedProject,
  handle: ({ database, settings, caller, target, origin }): Selection<z.output<typeof limitedProject>> => ({
    key: "target_project_id",
    from: "allowlist_projects",
    where: [
      where("project_id = ?", target.id),
      ...seenTargets(
        { settings, caller },
        "target_project_id IN (SELECT p.id FROM projects p",
        visibleProjects,
      ),
    ],
    order: [],
    load: projectLoader(database, (project) => toLimitedProject(project, origin)),
  }),
});

/** Limits a list to entries whose target the caller may see, in the modes that hide the others. */
function seenTargets(
  { settings, caller }: Pick<Call<unknown, unknown>, "settings" | "caller">,
  targets: string,
  visible: (caller: Caller) => Condition,
): readonly Condition[] {
  if (caller.user?.isAdmin === true || !inMode(settings, ALLOWLISTS).hidesUnseen) return [];
  const { sql, values } = visible(caller);
  return [where(`${targets} WHERE ${sql})`, ...values)];
}

/** Table and column of each kind of entry. */
const LISTS = {
  project: { table: "allowlist_projects", column: "target_project_id" },
  group: { table: "allowlist_groups", column: "target_group_id" },
} as const satisfies Record<EntryKind, unknown>;

type EntryCall = Pick<Call<Project, unknown>, "database" | "settings" | "target">;

function addEntry({ database, settings, target }: EntryCall, kind: EntryKind, targetId: number): void {
  const { table, column } = LISTS[kind];
  const limit = settings.allowlistLimit;
  refuseDuplicates(
    () => database.run(`INSERT INTO ${table} (project_id, ${column}) VALUES (?, ?)`, target.id, targetId),
    () => refused(400, `Target ${kind} ${inMode(settings, ALLOWLISTS).alreadyThere}`),
  );
  if (limit > 0 && countOthers(database, kind, target.id) > limit) {
    throw refused(400, `The allowlist is full: this instance allows ${limit} ${kind}s on one`);
  }
}

/** Counts entries without the project's own one, which every allowlist of projects has. */
function countOthers(database: Database, kind: EntryKind, projectId: number): number {
  const row = database.one<{ count: number }>(
    `SELECT count(*) AS count FROM ${LISTS[kind].table} WHERE project_id = ?`,
    projectId,
  );
  return row!.count - (kind === "project" ? 1 : 0);
}

function removeEntry({ database, settings, target }: EntryCall, kind: EntryKind, targetId: number): void {
  const { table, column } = LISTS[kind];
  const removed = database.run(
    `DELETE FROM ${table} WHERE project_id = ? AND ${column} = ?`,
    target.id,
    targetId,
  );
  if (removed.changes === 0) throw inMode(settings, ALLOWLISTS).missing(kind);
}

const addProject = endpoint({
  method: "POST",
  path: "/projects/:id/job_token_scope/allowlist",
  summary: "Add a project to the inbound allowlist",
  access,
  status: 201,
  input: { target_project_id: id() },
  answer: z
    .object({ source_project_id: z.int(), target_project_id: z.int() })
    .meta({ id: "AllowlistProjectChange" }),
  handle: (call) => {
    const { database, caller, target, input } = call;
    const found = findProject(database, String(input.target_project_id));
    if (found === undefined || !maySeeProject(database, caller, found.project)) {
      throw notFound("Target Project");
    }
    addEntry(call, "project", found.project.id);
    return { source_project_id: target.id, target_project_id: found.project.id };
  },
});

const removeProject = endpoint({
  method: "DELETE",
  path: "/projects/:id/job_token_scope/allowlist/:target_project_id",
  summary: "Remove a project from the inbound allowlist",
  access,
  input: { target_project_id: id() },
  handle: (call) => {
    const { database, settings, caller, target, input } = call;
    const { unseen, ownEntry } = inMode(settings, ALLOWLISTS);
    const found = findProject(database, String(input.target_project_id));
    if (found === undefined || !maySeeProject(database, caller, found.project)) throw unseen("project");
    if (input.target_project_id === target.id) throw refused(400, ownEntry);
    removeEntry(call, "project", input.target_project_id);
    return undefined;
  },
});

const limitedGroup = z
  .object({ id: z.int(), web_url: z.string(), name: z.string() })
  .meta({ id: "LimitedGroup" });

const toLimitedGroup = (group: Group, origin: string): z.output<typeof limitedGroup> => ({
  id: group.id,
  web_url: groupWebAddress(origin, group.fullPath),
  name: group.name,
});

const listGroups = listEndpoint({
  method: "GET",
  path: "/projects/:id/job_token_scope/groups_allowlist",
  summary: "Groups on the allowlist that the caller may see",
  access,
  entry: limitedGroup,
  handle: ({ database, settings, caller, target, origin }): Selection<z.output<typeof limitedGroup>> => ({
    key: "target_group_id",
    from: "allowlist_groups",
    where: [
      where("project_id = ?", target.id),
      ...seenTargets(
        { settings, caller },
        "target_group_id IN (SELECT n.id FROM namespaces n",
        visibleGroups,
      ),
    ],
    order: [],
    load: (keys) =>
      selectGroups(database, [])
        .load(keys)
        .map((group) => toLimitedGroup(group, origin)),
  }),
});

const addGroup = endpoint({
  method: "POST",
  path: "/projects/:id/job_token_scope/groups_allowlist",
  summary: "Add a group to the allowlist",
  access,
  status: 201,
  input: { target_group_id: id() },
  answer: z
    .object({ source_project_id: z.int(), target_group_id: z.int() })
    .meta({ id: "AllowlistGroupChange" }),
  handle: (call) => {
    const { database, caller, target, input } = call;
    const group = findGroup(database, String(input.target_group_id));
    if (group === undefined || !maySeeGroup(database, caller, group)) throw notFound("Target Group");
    addEntry(call, "group", group.id);
    return { source_project_id: target.id, target_group_id: group.id };
  },
});

const removeGroup = endpoint({
  method: "DELETE",
  path: "/projects/:id/job_token_scope/groups_allowlist/:target_group_id",
  summary: "Remove a group from the allowlist",
  access,
  input: { target_group_id: id() },
  handle: (call) => {
    const { database, settings, caller, input } = call;
    const { unseen, hidesUnseen } = inMode(settings, ALLOWLISTS);
    const group = findGroup(database, String(input.target_group_id));
    if (group === undefined || (hidesUnseen && !maySeeGroup(database, caller, group))) throw unseen("group");
    removeEntry(call, "group", input.target_group_id);
    return undefined;
  },
});

export const jobTokenScopeEndpoints = inSection(section, [
  getScope,
  changeScope,
  listProjects,
  addProject,
  removeProject,
  listGroups,
  addGroup,
  removeGroup,
]);
