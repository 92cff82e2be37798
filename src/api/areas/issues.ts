import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { id, text, textOrNull } from "../fields";

const section = "Beyond the specification";

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
/** Filter of a list of issues; labels are separated by commas. */
export type IssueFilter = z.input<typeof filter>;

const created = z.strictObject({ title: z.string(), description: z.string(), labels: z.string() });
/** A new issue; labels are separated by commas, and need the Reporter role. */
export type NewIssue = z.input<typeof created>;

const edited = z.strictObject({
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  state_event: z.optional(z.enum(["close", "reopen"])),
});
/** What changes of an issue. */
export type IssueEdit = z.input<typeof edited>;

const operations = operationsOf("issues", section, {
  list: listOperation({
    summary: "Lists the issues of a project.",
    method: "GET",
    path: "/projects/:id/issues",
    parameters: filter,
    answer: issue,
    pagination: "offset",
    key: ({ id }: Issue) => String(id),
  }),
  create: operation({
    summary: "Opens an issue.",
    method: "POST",
    path: "/projects/:id/issues",
    parameters: created,
    answer: issue,
  }),
  edit: operation({
    summary: "Edits, closes or opens again an issue.",
    method: "PUT",
    path: "/projects/:id/issues/:iid",
    parameters: edited,
    answer: issue,
  }),
});

/** Issues of a project. */
function methods(sender: OperationSender) {
  return {
    /** The issues of a project. */
    list: (id: Reference, parameters: IssueFilter = {}, options?: CallOptions) =>
      list(sender, operations.list, { path: { id }, parameters }, options),
    /** Opens an issue. */
    create: (id: Reference, parameters: NewIssue, options?: CallOptions) =>
      sender.call(operations.create, { path: { id }, parameters }, options),
    /** Edits, closes or opens again an issue. */
    edit: (id: Reference, iid: number, parameters: IssueEdit, options?: CallOptions) =>
      sender.call(operations.edit, { path: { id, iid }, parameters }, options),
  };
}

export const issues = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ issues: methods(sender) }),
});
