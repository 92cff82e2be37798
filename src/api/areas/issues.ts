import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { listOperation, operation } from "../calls/operation";
import { id, text, textOrNull } from "../fields";

const issue = z.object({
  id,
  iid: id,
  title: text,
  description: textOrNull,
  state: text,
  author: z.object({ id, username: text }),
});
/** An issue of a project. */
export type Issue = z.output<typeof issue>;

const filter = z.strictObject({
  state: z.optional(z.enum(["opened", "closed", "all"])),
  author_id: z.optional(z.number()),
  labels: z.optional(z.string()),
});
/** Filter of a list of issues. Labels are separated by commas. */
export type IssueFilter = z.input<typeof filter>;

const created = z.strictObject({ title: z.string(), description: z.string(), labels: z.string() });
/** Parameters of a new issue. Labels are separated by commas. Only users with the Reporter role can set labels. */
export type NewIssue = z.input<typeof created>;

const edited = z.strictObject({
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  state_event: z.optional(z.enum(["close", "reopen"])),
});
/** Parameters of a change of an issue. */
export type IssueEdit = z.input<typeof edited>;

/** Issues of a project. */
export const issues = defineArea("issues", "Beyond the specification", {
  /** Lists the issues of a project. */
  list: listOperation("/projects/:id/issues", {
    summary: "Lists the issues of a project.",
    parameters: filter,
    answer: issue,
  }),
  /** Opens an issue. */
  create: operation("POST /projects/:id/issues", {
    summary: "Opens an issue.",
    parameters: created,
    answer: issue,
  }),
  /** Edits an issue, closes it, or opens it again. */
  edit: operation("PUT /projects/:id/issues/:iid", {
    summary: "Edits, closes or opens again an issue.",
    parameters: edited,
    answer: issue,
    isAbout: ({ iid }, { path }) => iid === path["iid"],
  }),
});
