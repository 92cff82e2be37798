import { z } from "zod";
import { LEVEL, roleInProject } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, notFound } from "../http/errors";
import { id } from "../http/parameters";
import { nextIid } from "../model/merge-requests";
import { userById } from "../model/users";
import { basicUser, toBasicUser } from "../records/users";
import type { Database } from "../store/database";
import { loadInOrder, where, whereGiven } from "../store/selection";

const section = "settled: beyond the specification, for `steward ci`";
/** The platform's limit of a description, in characters. */
const MAX_DESCRIPTION = 1_048_576;

interface IssueRow {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly author_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly labels: string;
  readonly state: "opened" | "closed";
  readonly created_at: string;
  readonly updated_at: string;
}

const issue = z
  .object({
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    labels: z.array(z.string()),
    state: z.enum(["opened", "closed"]),
    author: basicUser,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Issue" });

const issueLoader = (database: Database, origin: string) =>
  loadInOrder(database, "SELECT * FROM issues", "id", ({ author_id, labels, ...row }: IssueRow) => ({
    ...row,
    labels: JSON.parse(labels) as string[],
    author: toBasicUser(userById(database, author_id)!, origin),
  }));

const list = listEndpoint({
  method: "GET",
  path: "/projects/:id/issues",
  summary: "The issues of a project, the last one first",
  access: ofProject(LEVEL.none),
  input: {
    state: z.enum(["opened", "closed", "all"]).default("all"),
    author_id: id().optional(),
    labels: z.string().optional(),
  },
  entry: issue,
  handle: ({ database, target, input, origin }) => ({
    key: "i.id",
    from: "issues i",
    where: [
      where("i.project_id = ?", target.id),
      ...(input.state === "all" ? [] : [where("i.state = ?", input.state)]),
      ...whereGiven(input.author_id, (author) => where("i.author_id = ?", author)),
      ...(input.labels ?? "")
        .split(",")
        .filter((label) => label !== "")
        .map((label) => where("EXISTS (SELECT 1 FROM json_each(i.labels) WHERE value = ?)", label)),
    ],
    order: [],
    descending: true,
    load: issueLoader(database, origin),
  }),
});

const text = {
  title: z.string().min(1).max(255),
  description: z.string().max(MAX_DESCRIPTION),
  labels: z.string(),
};
const labelsOf = (labels: string): string =>
  JSON.stringify(labels.split(",").filter((label) => label !== ""));

const add = endpoint({
  method: "POST",
  path: "/projects/:id/issues",
  summary: "Open an issue; labels from Reporter up",
  access: ofProject(LEVEL.guest),
  status: 201,
  input: { title: text.title, description: text.description.optional(), labels: text.labels.optional() },
  answer: issue,
  handle: ({ database, caller, target, input, origin }) => {
    const at = new Date().toISOString();
    // As on the platform, labels of a Guest are dropped.
    const mayLabel = roleInProject(database, caller, target) >= LEVEL.reporter;
    const { id: issueId } = database.run(
      "INSERT INTO issues (project_id, iid, author_id, title, description, labels, state, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 'opened', ?, ?)",
      target.id,
      nextIid(database, "issues", target.id),
      caller.user!.id,
      input.title,
      input.description ?? null,
      labelsOf(mayLabel ? (input.labels ?? "") : ""),
      at,
      at,
    );
    return issueLoader(database, origin)([issueId])[0]!;
  },
});

const edit = endpoint({
  method: "PUT",
  path: "/projects/:id/issues/:issue_iid",
  summary: "Edit, close or open again an issue of one's own, or as Reporter any",
  access: ofProject(LEVEL.guest),
  input: {
    issue_iid: id(),
    title: text.title.optional(),
    description: text.description.optional(),
    state_event: z.enum(["close", "reopen"]).optional(),
  },
  answer: issue,
  handle: ({ database, caller, target, input, origin }) => {
    const found = database.one<IssueRow>(
      "SELECT * FROM issues WHERE project_id = ? AND iid = ?",
      target.id,
      input.issue_iid,
    );
    if (found === undefined) throw notFound("Issue");
    const isOwn = found.author_id === caller.user!.id;
    if (!isOwn && roleInProject(database, caller, target) < LEVEL.reporter) throw forbidden();
    const states = { close: "closed", reopen: "opened" } as const;
    database.run(
      "UPDATE issues SET title = ?, description = ?, state = ?, updated_at = ? WHERE id = ?",
      input.title ?? found.title,
      input.description ?? found.description,
      input.state_event === undefined ? found.state : states[input.state_event],
      new Date().toISOString(),
      found.id,
    );
    return issueLoader(database, origin)([found.id])[0]!;
  },
});

export const issueEndpoints = inSection(section, [list, add, edit]);
