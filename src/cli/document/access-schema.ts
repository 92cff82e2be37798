import * as z from "zod/mini";
import { described } from "./difference-schema";

const names = z.record(z.string(), z.array(z.string()));

/** What changes for people in one place. The provider's kinds are keys beside these, such as `project` and `environment`. */
export const accessSchema = z.catchall(
  z.object({
    stack: described("The stack whose plan changes it, if the app has several.", z.optional(z.string())),
    stacks: described(
      "The stacks whose plans change it, if there are several. What they change together is not counted.",
      z.optional(z.readonly(z.array(z.string()))),
    ),
    project: z.optional(z.string()),
    group: z.optional(z.string()),
    environment: z.optional(z.string()),
    gains: described(
      "Who gains what: names by ability, such as usernames by `deploy` and `approve`. Incomplete if `not_counted` is not empty.",
      names,
    ),
    loses: described("Who loses what.", names),
    notes: described(
      "What belongs to a name, such as `as Developer` to that of a new member, or `except project acme/tools` to `every project`.",
      z.optional(
        z.array(
          z.object({
            name: z.string(),
            note: z.string(),
            ability: described("The ability that the note is about.", z.optional(z.string())),
          }),
        ),
      ),
    ),
    rules: described(
      "Rules that change for everybody, such as the number of `approvals`.",
      z.array(
        z.object({
          name: z.string(),
          before: described("A text or a number.", z.unknown()),
          after: z.unknown(),
        }),
      ),
    ),
    not_counted: described(
      "What the token can't see or the report can't evaluate, with the reason.",
      z.array(z.object({ what: z.string(), why: z.string() })),
    ),
    text: described(
      "The same in a line, as a plan shows it: `environment production: +2 can deploy (ada, ben); approvals 2 → 1`.",
      z.string(),
    ),
    changes: described(
      "The addresses of the objects whose change it comes from.",
      z.optional(z.readonly(z.array(z.string()))),
    ),
  }),
  z.unknown(),
);

/** A right that the plan needs, or what could not be determined. The role's place is a key such as `project`. */
export const rightSchema = z.catchall(
  z.object({
    stack: described("The stack whose plan needs it, if the app has several.", z.optional(z.string())),
    stacks: described(
      "The stacks whose plans need it, if there are several.",
      z.optional(z.readonly(z.array(z.string()))),
    ),
    scope: described("A scope of the token, such as `api`.", z.optional(z.string())),
    role: described(
      "A role of the token's user, in `project` or `group`; without both on the whole service.",
      z.optional(z.string()),
    ),
    project: z.optional(z.string()),
    group: z.optional(z.string()),
    has: described(
      "Whether the token of the run has it; null if the service does not tell.",
      z.optional(z.nullable(z.boolean())),
    ),
    not_known: described("An object whose rights could not be determined.", z.optional(z.string())),
    why: described("The reason.", z.optional(z.string())),
  }),
  z.unknown(),
);
