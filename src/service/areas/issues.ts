import { z } from "zod";
import { LEVEL, roleIn } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, found } from "../http/errors";
import { id } from "../http/parameters";
import { basicUser, withAuthor } from "../model/users";
import { type Database, insert, now, update } from "../store/database";
import { loadInOrder, where, whereGiven } from "../store/selection";
import { nextIid } from "./merge-requests";

/** The maximum number of characters of a description, as on the platform. */
const MAX_DESCRIPTION = 1_048_576;

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

type IssueRow = Omit<z.output<typeof issue>, "author" | "labels"> & {
  readonly author_id: number;
  /** The labels of the issue, as a JSON array. */
  readonly labels: string;
};

const issueLoader = (database: Database, origin: string) =>
  loadInOrder(database, "SELECT * FROM issues", "id", ({ labels, ...row }: IssueRow) =>
    withAuthor(database, origin, { ...row, labels: JSON.parse(labels) as string[] }),
  );

const text = {
  title: z.string().min(1).max(255),
  description: z.string().max(MAX_DESCRIPTION),
  labels: z.string(),
};
const STATES = { close: "closed", reopen: "opened" } as const;

const labelsOf = (labels: string | undefined): string[] =>
  (labels ?? "").split(",").filter((label) => label !== "");

export const issueEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  listEndpoint({
    route: "GET /projects/:id/issues",
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
        ...labelsOf(input.labels).map((label) =>
          where("EXISTS (SELECT 1 FROM json_each(i.labels) WHERE value = ?)", label),
        ),
      ],
      isDescending: true,
      load: issueLoader(database, origin),
    }),
  }),
  endpoint({
    route: "POST /projects/:id/issues",
    summary: "Open an issue; labels from Reporter up",
    access: ofProject(LEVEL.guest),
    input: { title: text.title, description: text.description.optional(), labels: text.labels.optional() },
    answer: issue,
    handle: ({ database, caller, target, input, origin }) => {
      const at = now();
      // As on the platform, labels that a Guest sets are dropped.
      const canLabel = roleIn(database, caller, target) >= LEVEL.reporter;
      const issueId = insert(database, "issues", {
        project_id: target.id,
        iid: nextIid(database, "issues", target.id),
        author_id: caller.user!.id,
        ...input,
        labels: JSON.stringify(canLabel ? labelsOf(input.labels) : []),
        state: "opened",
        created_at: at,
        updated_at: at,
      });
      return issueLoader(database, origin)([issueId])[0]!;
    },
  }),
  endpoint({
    route: "PUT /projects/:id/issues/:issue_iid",
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
      const { issue_iid: iid, state_event: event, ...change } = input;
      const sql = "SELECT * FROM issues WHERE project_id = ? AND iid = ?";
      const known = found(database.one<IssueRow>(sql, target.id, iid), "Issue");
      const isOwn = known.author_id === caller.user!.id;
      if (!isOwn && roleIn(database, caller, target) < LEVEL.reporter) throw forbidden();
      update(database, "issues", known.id, { ...change, state: event && STATES[event], updated_at: now() });
      return issueLoader(database, origin)([known.id])[0]!;
    },
  }),
]);
