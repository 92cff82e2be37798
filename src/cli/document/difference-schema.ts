import * as z from "zod/mini";
import type { Difference } from "../difference";

/** A schema with the description that `docs/report.schema.json` shows. */
export const described = <T extends z.core.$ZodType>(description: string, schema: T): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

const mark = described(
  "`+` added, `-` removed, `~` changed, a space unchanged.",
  z.enum(["+", "-", "~", " "]),
);

const line = z.object({ mark, text: z.string() });

const facts = {
  mark,
  forces: described("Whether the change forces the replacement of the object.", z.optional(z.literal(true))),
  notes: described(
    "What a plan shows behind the value, such as `live: false` or `added outside`.",
    z.optional(z.array(z.string())),
  ),
  remarks: described("What it shows in lines of their own.", z.optional(z.array(z.string()))),
};

/** A difference as a tree; `Difference` describes it. */
export const differenceSchema: z.ZodMiniType<Difference> = z.lazy(
  () =>
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("hidden"), ...facts }),
      z.object({
        kind: z.literal("leaf"),
        ...facts,
        before: z.optional(z.string()),
        after: z.optional(z.string()),
      }),
      z.object({ kind: z.literal("lines"), ...facts, lines: z.array(line) }),
      z.object({
        kind: z.literal("fields"),
        ...facts,
        fields: z.array(z.object({ name: z.string(), difference: differenceSchema })),
        unchanged: z.number(),
        nulls: described("Whether a removed field becomes null.", z.optional(z.literal(true))),
      }),
      z.object({
        kind: z.literal("elements"),
        ...facts,
        elements: z.array(differenceSchema),
        unchanged: z.number(),
      }),
      z.object({ kind: z.literal("swap"), ...facts, before: differenceSchema, after: differenceSchema }),
    ]) as z.ZodMiniType<Difference>,
);
z.globalRegistry.add(differenceSchema, {
  id: "difference",
  description:
    "A difference between two values, as a plan shows them: objects by field, sets and lists by element, texts by line.",
});
