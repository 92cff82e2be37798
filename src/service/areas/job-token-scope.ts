import { z } from "zod";
import type { Caller } from "../access/caller";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { ALLOWLIST_REFUSALS } from "../habits/allowlist-refusals";
import { type EntryKind, UNSEEN_ENTRIES } from "../habits/unseen-allowlist-entries";
import { found, refused } from "../http/errors";
import { id, recordOf } from "../http/parameters";
import { findGroup, findSeenGroup, groupWebAddress, selectGroups, visibleGroups } from "../model/groups";
import {
  findSeenProject,
  limitedProject,
  type Project,
  projectLoader,
  toLimitedProject,
  visibleProjects,
} from "../model/projects";
import { chosen } from "../settings/settings";
import { applicationSetting } from "../store/application-settings";
import { type Database, insert, refuseDuplicates, update } from "../store/database";
import { type Condition, type Selection, where } from "../store/selection";

const access = ofProject(LEVEL.maintainer);
const PATH = "/projects/:id/job_token_scope";

const scopeRecord = z
  .object({ inbound_enabled: z.boolean(), outbound_enabled: z.boolean() })
  .meta({ id: "JobTokenScope" });

/** Returns whether the instance limits access by job tokens for every project. */
const isLimitEnforced = (database: Database): boolean =>
  applicationSetting(database, "enforce_ci_inbound_job_token_scope_enabled");

const LIMIT_ENFORCED = "400 Bad request - This instance enforces the limit on access by job tokens";

const limitedGroup = z
  .object({ id: z.int(), web_url: z.string(), name: z.string() })
  .meta({ id: "LimitedGroup" });

/** One of the two allowlists of a project. */
interface Allowlist<Entry extends z.ZodType> {
  readonly kind: EntryKind;
  readonly path: string;
  /** The name of the allowlist in summaries of endpoints. */
  readonly title: string;
  /**
   * The SQL query for all projects or groups that an entry can name as its target, up to the word `WHERE`. `visible`
   * returns the condition for the targets that a caller may see.
   */
  readonly targets: string;
  readonly visible: (caller: Caller) => Condition;
  readonly entry: Entry;
  /**
   * Finds the project or group that an entry names. Returns undefined if the caller may not see this project or
   * group.
   */
  find(database: Database, caller: Caller, targetId: number): { readonly id: number } | undefined;
  loader(call: Call<Project, unknown>): Selection<z.output<Entry>>["load"];
}

function endpointsOf<Entry extends z.ZodType>(list: Allowlist<Entry>) {
  const { kind, title } = list;
  const name = kind === "project" ? "Project" : "Group";
  const [table, column, path] = [`allowlist_${kind}s`, `target_${kind}_id`, `${PATH}/${list.path}`] as const;
  const input = { [column]: id() };

  /**
   * Limits the list to entries whose target the caller may see. Administrators see all entries. If the service
   * imitates the platform's habit `unseen-allowlist-entries`, all callers see all entries.
   */
  const seenBy = ({ settings, caller }: Call<Project, unknown>): readonly Condition[] => {
    if (caller.user?.is_admin === 1 || !chosen(settings, UNSEEN_ENTRIES).isHidden) return [];
    const { sql, values } = list.visible(caller);
    return [where(`${column} IN (${list.targets} WHERE ${sql})`, ...values)];
  };

  return [
    listEndpoint({
      route: `GET ${path}`,
      summary: `${name}s on the ${title} that the caller may see`,
      access,
      entry: list.entry,
      handle: (call) => ({
        key: column,
        from: table,
        where: [where("project_id = ?", call.target.id), ...seenBy(call)],
        load: list.loader(call),
      }),
    }),
    endpoint({
      route: `POST ${path}`,
      summary: `Add a ${kind} to the ${title}`,
      access,
      input,
      answer: z
        .object({ source_project_id: z.int(), [column]: z.int() })
        .meta({ id: `Allowlist${name}Change` }),
      handle: ({ database, settings, caller, target, input: given }) => {
        const { id: targetId } = found(list.find(database, caller, given[column]!), `Target ${name}`);
        refuseDuplicates(
          () => insert(database, table, { project_id: target.id, [column]: targetId }),
          () => refused(400, `Target ${kind} ${chosen(settings, ALLOWLIST_REFUSALS).alreadyThere}`),
        );
        const sql = `SELECT count(*) AS count FROM ${table} WHERE project_id = ?`;
        const { count } = database.one<{ count: number }>(sql, target.id)!;
        const limit = settings.allowlistLimit;
        // Every allowlist of projects contains the project itself. The entry of the project itself does not count
        // towards the limit.
        if (limit > 0 && count > limit + (kind === "project" ? 1 : 0)) {
          throw refused(400, `The allowlist is full: this instance allows ${limit} ${kind}s on one`);
        }
        return { source_project_id: target.id, [column]: targetId };
      },
    }),
    endpoint({
      route: `DELETE ${path}/:${column}`,
      summary: `Remove a ${kind} from the ${title}`,
      access,
      input,
      handle: ({ database, settings, caller, target, input: given }) => {
        const { ownEntry, missing } = chosen(settings, ALLOWLIST_REFUSALS);
        const unseen = chosen(settings, UNSEEN_ENTRIES);
        const targetId = given[column]!;
        const isFound = list.find(database, caller, targetId) !== undefined;
        const isUnseenTaken =
          kind === "group" && !unseen.isHidden && findGroup(database, targetId) !== undefined;
        if (!isFound && !isUnseenTaken) throw unseen.error(kind);
        if (kind === "project" && targetId === target.id) throw refused(400, ownEntry);
        const sql = `DELETE FROM ${table} WHERE project_id = ? AND ${column} = ?`;
        if (database.run(sql, target.id, targetId).changes === 0) throw missing(kind);
      },
    }),
  ];
}

export const jobTokenScopeEndpoints = inSection("Job token scope (project)", [
  endpoint({
    route: `GET ${PATH}`,
    summary: "Job token scope settings",
    access,
    answer: scopeRecord,
    handle: ({ database, target }) =>
      recordOf(scopeRecord)({
        ...target,
        inbound_enabled: isLimitEnforced(database) || target.inbound_enabled === 1,
      }),
  }),
  endpoint({
    route: `PATCH ${PATH}`,
    summary: "Switch 'limit access to this project' on or off",
    access,
    input: { enabled: z.boolean() },
    handle: ({ database, target, input }) => {
      if (!input.enabled && isLimitEnforced(database)) throw refused(400, LIMIT_ENFORCED);
      update(database, "projects", target.id, { inbound_enabled: input.enabled });
    },
  }),
  ...endpointsOf({
    kind: "project",
    path: "allowlist",
    title: "inbound allowlist",
    targets: "SELECT p.id FROM projects p",
    visible: visibleProjects,
    entry: limitedProject,
    find: (database, caller, targetId) => findSeenProject(database, caller, targetId)?.project,
    loader: ({ database, origin }) => projectLoader(database, (project) => toLimitedProject(project, origin)),
  }),
  ...endpointsOf({
    kind: "group",
    path: "groups_allowlist",
    title: "allowlist",
    targets: "SELECT n.id FROM namespaces n",
    visible: visibleGroups,
    entry: limitedGroup,
    find: findSeenGroup,
    loader: ({ database, origin }) =>
      selectGroups(database, [], ({ id: groupId, name, full_path }) => ({
        id: groupId,
        web_url: groupWebAddress(origin, full_path),
        name,
      })).load,
  }),
]);
