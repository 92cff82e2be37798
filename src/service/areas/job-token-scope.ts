import { z } from "zod";
import type { Caller } from "../access/caller";
import { LEVEL } from "../access/roles";
import { ALLOWLISTS, type EntryKind } from "../compat/differences";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { found, refused } from "../http/errors";
import { id, recordOf } from "../http/parameters";
import { findGroup, findSeenGroup, type Group, selectGroups, visibleGroups } from "../model/groups";
import { findSeenProject, type Project, projectLoader, visibleProjects } from "../model/projects";
import { groupWebAddress, limitedProject, toLimitedProject } from "../records/projects";
import { inMode } from "../settings/settings";
import { type Database, insert, refuseDuplicates, update } from "../store/database";
import { type Condition, type Selection, where } from "../store/selection";

const access = ofProject(LEVEL.maintainer);

const scopeRecord = z
  .object({ inbound_enabled: z.boolean(), outbound_enabled: z.boolean() })
  .meta({ id: "JobTokenScope" });

/** Limits a list to entries whose target the caller may see, in the modes that hide the others. */
function seenTargets(
  { settings, caller }: Pick<Call<unknown, unknown>, "settings" | "caller">,
  targets: string,
  visible: (caller: Caller) => Condition,
): readonly Condition[] {
  if (caller.user?.isAdmin === true || !inMode(settings, ALLOWLISTS).isUnseenHidden) return [];
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
    () => insert(database, table, { project_id: target.id, [column]: targetId }),
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
  const sql = `DELETE FROM ${table} WHERE project_id = ? AND ${column} = ?`;
  const removed = database.run(sql, target.id, targetId);
  if (removed.changes === 0) throw inMode(settings, ALLOWLISTS).missing(kind);
}

const limitedGroup = z
  .object({ id: z.int(), web_url: z.string(), name: z.string() })
  .meta({ id: "LimitedGroup" });

const toLimitedGroup = ({ id, name, full_path }: Group, origin: string): z.output<typeof limitedGroup> => ({
  id,
  web_url: groupWebAddress(origin, full_path),
  name,
});

export const jobTokenScopeEndpoints = inSection("Job token scope (project)", [
  endpoint({
    route: "GET /projects/:id/job_token_scope",
    summary: "Job token scope settings",
    access,
    answer: scopeRecord,
    handle: ({ target }) => recordOf(scopeRecord)(target),
  }),
  endpoint({
    route: "PATCH /projects/:id/job_token_scope",
    summary: "Switch 'limit access to this project' on or off",
    access,
    input: { enabled: z.boolean() },
    handle: ({ database, target, input }) =>
      update(database, "projects", target.id, { inbound_enabled: input.enabled }),
  }),
  listEndpoint({
    route: "GET /projects/:id/job_token_scope/allowlist",
    summary: "Projects on the inbound allowlist that the caller may see",
    access,
    entry: limitedProject,
    handle: (call): Selection<z.output<typeof limitedProject>> => ({
      key: "target_project_id",
      from: "allowlist_projects",
      where: [
        where("project_id = ?", call.target.id),
        ...seenTargets(call, "target_project_id IN (SELECT p.id FROM projects p", visibleProjects),
      ],
      order: [],
      load: projectLoader(call.database, (project) => toLimitedProject(project, call.origin)),
    }),
  }),
  endpoint({
    route: "POST /projects/:id/job_token_scope/allowlist",
    summary: "Add a project to the inbound allowlist",
    access,
    input: { target_project_id: id() },
    answer: z
      .object({ source_project_id: z.int(), target_project_id: z.int() })
      .meta({ id: "AllowlistProjectChange" }),
    handle: (call) => {
      const { database, caller, target, input } = call;
      const { project } = found(findSeenProject(database, caller, input.target_project_id), "Target Project");
      addEntry(call, "project", project.id);
      return { source_project_id: target.id, target_project_id: project.id };
    },
  }),
  endpoint({
    route: "DELETE /projects/:id/job_token_scope/allowlist/:target_project_id",
    summary: "Remove a project from the inbound allowlist",
    access,
    input: { target_project_id: id() },
    handle: (call) => {
      const { database, settings, caller, target, input } = call;
      const { unseen, ownEntry } = inMode(settings, ALLOWLISTS);
      if (!findSeenProject(database, caller, input.target_project_id)) throw unseen("project");
      if (input.target_project_id === target.id) throw refused(400, ownEntry);
      removeEntry(call, "project", input.target_project_id);
    },
  }),
  listEndpoint({
    route: "GET /projects/:id/job_token_scope/groups_allowlist",
    summary: "Groups on the allowlist that the caller may see",
    access,
    entry: limitedGroup,
    handle: (call): Selection<z.output<typeof limitedGroup>> => ({
      key: "target_group_id",
      from: "allowlist_groups",
      where: [
        where("project_id = ?", call.target.id),
        ...seenTargets(call, "target_group_id IN (SELECT n.id FROM namespaces n", visibleGroups),
      ],
      order: [],
      load: (keys) =>
        selectGroups(call.database, [])
          .load(keys)
          .map((group) => toLimitedGroup(group, call.origin)),
    }),
  }),
  endpoint({
    route: "POST /projects/:id/job_token_scope/groups_allowlist",
    summary: "Add a group to the allowlist",
    access,
    input: { target_group_id: id() },
    answer: z
      .object({ source_project_id: z.int(), target_group_id: z.int() })
      .meta({ id: "AllowlistGroupChange" }),
    handle: (call) => {
      const { database, caller, target, input } = call;
      const group = found(findSeenGroup(database, caller, input.target_group_id), "Target Group");
      addEntry(call, "group", group.id);
      return { source_project_id: target.id, target_group_id: group.id };
    },
  }),
  endpoint({
    route: "DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id",
    summary: "Remove a group from the allowlist",
    access,
    input: { target_group_id: id() },
    handle: (call) => {
      const { database, settings, caller, input } = call;
      const { unseen, isUnseenHidden } = inMode(settings, ALLOWLISTS);
      const group = isUnseenHidden
        ? findSeenGroup(database, caller, input.target_group_id)
        : findGroup(database, input.target_group_id);
      if (group === undefined) throw unseen("group");
      removeEntry(call, "group", input.target_group_id);
    },
  }),
]);
