import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { listOperation } from "../calls/operation";
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

/** Environments of a project. Calls fail with `not_found` if this token can't see the project. */
export const environments = defineArea("environments", "Look-ups", {
  /** Lists all environments of a project, protected or not. */
  list: listOperation("/projects/:project/environments", {
    summary: "Lists a project's environments.",
    answer: environment,
  }),
});
