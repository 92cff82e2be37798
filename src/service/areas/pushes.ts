import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { basicUser, withAuthor } from "../model/users";
import { type Database, insert, now } from "../store/database";
import { loadInOrder, where } from "../store/selection";

/** One push to one branch. */
interface Push {
  readonly project_id: number;
  readonly author_id: number;
  readonly ref: string;
  /** The commit that the branch has after the push. */
  readonly sha: string;
}

export const recordPush = (database: Database, push: Push): number =>
  insert(database, "pushes", { ...push, created_at: now() });

const pushEvent = z
  .object({
    id: z.int(),
    project_id: z.int(),
    action_name: z.literal("pushed to"),
    author_id: z.int(),
    author: basicUser,
    author_username: z.string(),
    created_at: z.iso.datetime(),
    push_data: z.object({
      action: z.literal("pushed"),
      ref_type: z.literal("branch"),
      ref: z.string(),
      commit_to: z.string(),
    }),
  })
  .meta({ id: "PushEvent" });

type PushRow = Push & { readonly id: number; readonly created_at: string };

const eventLoader = (database: Database, origin: string) =>
  loadInOrder(database, "SELECT * FROM pushes", "id", ({ ref, sha, ...row }: PushRow) => {
    const { author, ...event } = withAuthor(database, origin, row);
    return {
      ...event,
      author_id: row.author_id,
      author,
      author_username: author.username,
      action_name: "pushed to" as const,
      push_data: { action: "pushed" as const, ref_type: "branch" as const, ref, commit_to: sha },
    };
  });

const sha = () => z.string().regex(/^[0-9a-f]{7,64}$/);

/** The events of a project, as https://docs.gitlab.com/api/events/ has them. Pushes are the only ones that the service records. */
export const pushEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  endpoint({
    route: "POST /_steward/projects/:id/pushes",
    summary: "Push a commit to a branch as the caller",
    access: ofProject(LEVEL.developer),
    input: { ref: z.string().min(1), sha: sha() },
    answer: pushEvent,
    handle: ({ database, caller, target, input, origin }) => {
      const push = { ...input, project_id: target.id, author_id: caller.user!.id };
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
