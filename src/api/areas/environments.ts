import * as z from "zod/mini";
import { type CallOptions, listOperation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { id, text, textOrNull } from "../fields";

const environment = z.object({
  id,
  name: text,
  external_url: textOrNull,
  description: textOrNull,
  tier: textOrNull,
});

/** An environment of a project, protected or not. */
export type Environment = z.output<typeof environment>;

const operations = operationsOf("environments", "Look-ups", {
  list: listOperation({
    summary: "Lists a project's environments.",
    method: "GET",
    path: "/projects/:project/environments",
    answer: environment,
    pagination: "offset",
    key: (each) => each.id,
  }),
});

/** Environments of a project. `not_found` if the project is not visible to this token. */
function methods(sender: OperationSender) {
  return {
    /** All environments of a project, protected or not. */
    list: (project: Reference, options?: CallOptions) =>
      list(sender, operations.list, { path: { project } }, options),
  };
}

export const environments = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ environments: methods(sender) }),
});
