import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { badRequest } from "../http/errors";
import { basicUser, withAuthor } from "../model/users";
import { type Database, insert, now } from "../store/database";
import { loadInOrder, where } from "../store/selection";

/** One push to a project. A push to many branches at once has no branch name. */
interface Push {
  readonly project_id: number;
  readonly author_id: number;
  readonly ref: string | null;
  /** The commit that the branch has after the push; null if the push removed the branch. */
  readonly sha: string | null;
}

/** Records a push. A push to a branch that does not exist, or was removed, creates the branch. */
export function recordPush(database: Database, push: Push): number {
  const sql = "SELECT action FROM pushes WHERE project_id = ? AND ref = ? ORDER BY id DESC LIMIT 1";
  const last = database.one<{ action: string }>(sql, push.project_id, push.ref);
  return insert(database, "pushes", { ...push, action: actionOf(push, last), created_at: now() });
}

function actionOf({ ref, sha }: Push, last: { readonly action: string } | undefined): PushRow["action"] {
  if (ref === null) return "pushed";
  if (sha === null) return "removed";
  return last === undefined || last.action === "removed" ? "created" : "pushed";
}

const pushEvent = z
  .object({
    id: z.int(),
    project_id: z.int(),
    action_name: z.enum(["pushed to", "pushed new", "deleted"]),
    author_id: z.int(),
    author: basicUser,
    author_username: z.string(),
    created_at: z.iso.datetime(),
    push_data: z.object({
      action: z.enum(["pushed", "created", "removed"]),
      ref_type: z.literal("branch"),
      ref: z.string().nullable(),
      commit_to: z.string().nullable(),
    }),
  })
  .meta({ id: "PushEvent" });

type PushRow = Push & {
  readonly id: number;
  readonly created_at: string;
  readonly action: z.output<typeof pushEvent>["push_data"]["action"];
};

const ACTION_NAMES = { pushed: "pushed to", created: "pushed new", removed: "deleted" } as const;

const eventLoader = (database: Database, origin: string) =>
  loadInOrder(database, "SELECT * FROM pushes", "id", ({ ref, sha, action, ...row }: PushRow) => {
    const { author, ...event } = withAuthor(database, origin, row);
    return {
      ...event,
      author_id: row.author_id,
      author,
      author_username: author.username,
      action_name: ACTION_NAMES[action],
      push_data: { action, ref_type: "branch" as const, ref, commit_to: sha },
    };
  });

const sha = () => z.string().regex(/^[0-9a-f]{7,64}$/);

/** The events of a project, as https://docs.gitlab.com/api/events/ describes them. The service records only pushes. */
export const pushEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  endpoint({
    route: "POST /_steward/projects/:id/pushes",
    summary:
      "Push a commit to a branch as the caller; without a commit remove it, without a branch push many at once",
    access: ofProject(LEVEL.developer),
    input: { ref: z.string().min(1).optional(), sha: sha().optional() },
    answer: pushEvent,
    handle: ({ database, caller, target, input, origin }) => {
      const { ref = null, sha = null } = input;
      // A body with another name for the branch would otherwise record a push that changes no known branch.
      if (ref === null && sha !== null) throw badRequest("ref is missing");
      const push = { ref, sha, project_id: target.id, author_id: caller.user!.id };
      return eventLoader(database, origin)([recordPush(database, push)])[0]!;
    },
  }),
  listEndpoint({
    route: "GET /projects/:id/events",
    summary: "The pushes to a project, the last one first",
    access: ofProject(LEVEL.none),
    input: { action: z.enum(["pushed"]).optional() },
    entry: pushEvent,
    handle: ({ database, target, origin }) => ({
      key: "p.id",
      from: "pushes p",
      where: [where("p.project_id = ?", target.id)],
      isDescending: true,
      load: eventLoader(database, origin),
    }),
  }),
]);
