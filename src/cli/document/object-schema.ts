import * as z from "zod/mini";
import { changeFacts, changeOrigin, described, flag, optional, text, texts } from "../../engine";
import type { Difference } from "../difference";

const mark = described(
  "`+` added, `-` removed, `~` changed, a space unchanged.",
  z.enum(["+", "-", "~", " "]),
);

const line = z.object({ mark, text: z.string() });

const facts = {
  mark,
  forces: flag("Whether the change forces the replacement of the object."),
  notes: texts("What a plan shows behind the value, such as `live: false` or `added outside`."),
  remarks: texts("What it shows in lines of their own."),
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
        nulls: flag("Whether a removed field becomes null."),
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

export const diagnosticSchema = z.object({
  severity: z.enum(["error", "warning"]),
  code: described("A code that `docs/errors.md` lists.", z.string()),
  summary: z.string(),
  detail: z.string(),
  attribute: z.optional(z.string()),
  address: z.optional(z.string()),
  construct: z.optional(z.string()),
  position: text("The app's file and line of the declaration, such as `main.ts:9`."),
  rule: text("The name of the policy rule that found it."),
  cause: text(
    "Equal in diagnostics of one cause, such as a refused token; absent if the diagnostic has a cause of its own.",
  ),
});

/**
 * One attribute that differs. A plan compares before and after; drift compares the applied and the live
 * value.
 */
export const attributeSchema = z.object({
  name: z.string(),
  sensitive: described("Whether the attribute is sensitive. Its values are left out.", z.boolean()),
  unknown: optional("Whether the value is only known after apply. `after` is left out.", z.boolean()),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
  before_name: text("The name of `before`, such as `Developer` for 30."),
  after_name: text("The name of `after`."),
  changed_outside: optional(
    "Plan: the value was changed outside since the last apply. The values are left out if the attribute is sensitive.",
    z.object({ applied: z.optional(z.unknown()), live: z.optional(z.unknown()) }),
  ),
  live: optional(
    "Plan: the live value that creating a setting replaces, because the setting exists anyway.",
    z.unknown(),
  ),
  declared: optional("Drift: the declared value, if it differs from the applied one.", z.unknown()),
  known_to_be_declared: optional(
    "False if the attribute is optional and the state does not show whether it is declared " +
      "(drift of a state without a configuration).",
    z.literal(false),
  ),
  difference: differenceSchema,
});

const field = z.object({ name: z.string(), difference: differenceSchema });

export const objectSchema = z.object({
  ...changeFacts,
  ...changeOrigin,
  action: optional("What the plan does with the object. Absent in drift reports.", changeFacts.action),
  project: text("The project's full path, or its numeric id while the path is not known."),
  group: text("The same for an object of a group."),
  url: text("The web page of the project or group."),
  id: text("The object's id, as `steward import` accepts it, if the object exists."),
  name: text(
    "What tells the object from others of its project or group, such as `production` or a user; absent for a setting.",
  ),
  strictness: optional(
    "What the change, or the drift, means for access: `looser` allows more than before, `tighter` less, `mixed` both in parts. " +
      "Absent if access stays the same, and for objects of other providers.",
    z.enum(["looser", "tighter", "mixed"]),
  ),
  stays_on_service: flag(
    "The service keeps the object as it is: destroying it removes it from the state only, because the setting exists anyway.",
  ),
  deleted_outside: flag(
    "Plan: the object was deleted outside since the last apply, so the plan creates it again.",
  ),
  is_revert: flag(
    "Plan: the change only reverts a manual change, so that it restores the values of the last apply.",
  ),
  depends_on: texts(
    "Of an object that changes or drifts: the managed resources that its declaration refers to, directly or " +
      "through locals and data sources, without instance keys.",
  ),
  status: described(
    "plan: planned, unchanged, failed. apply and destroy: done, unchanged, not_done, failed. drift: in_sync, changed, vanished, unmanaged, failed.",
    z.enum([
      "planned",
      "unchanged",
      "done",
      "not_done",
      "failed",
      "in_sync",
      "changed",
      "vanished",
      "unmanaged",
    ]),
  ),
  unchecked: optional(
    "The object could not be checked: its live values are unknown. The status is `failed`.",
    z.boolean(),
  ),
  not_repaired: text("`drift --repair`: why the repair left the object unchanged."),
  repaired: flag("`drift --repair`: the repair restored what was applied."),
  known: flag(
    "`drift --since`: the object drifts, and the earlier run reported it. The status is `in_sync`, and `attributes` has the difference.",
  ),
  container: text("Undeclared objects: the project or group, as `coverage` of the report names it."),
  undeclared: texts(
    "Undeclared settings: the attributes without a declaration whose values are not the service's defaults.",
  ),
  is_declared: flag(
    "Undeclared settings: a declaration manages the object, and leaves these attributes out.",
  ),
  is_container: flag("Undeclared objects: a project or group of a covered one that no declaration names."),
  undeclarable: text("Undeclared objects: why a declaration would be refused."),
  unlisted: text(
    "The token may not list the objects of this type in a project or group, whose path is the ID: the reason.",
  ),
  commands: optional(
    "Undeclared objects: the commands that import the object, and that write its declaration. Drift: the commands that restore " +
      "what was applied, and that write the live values into the code, and an entry for the file of `--ignore`.",
    z.object({
      import: z.optional(z.string()),
      adopt: z.optional(z.string()),
      repair: z.optional(z.string()),
      accept: z.optional(z.string()),
      ignore: z.optional(z.string()),
    }),
  ),
  fingerprint: text("Drift: identifies the same difference in several runs."),
  attributes: z.array(attributeSchema),
  unchanged: optional(
    "What stays of an object that changes: `id` and `name`, and the number of its other attributes.",
    z.object({ identity: z.array(field), others: z.number() }),
  ),
  diff: text(
    "The differences of all attributes in the format of a plan, over several lines. Empty if nothing differs.",
  ),
  diagnostics: z.array(diagnosticSchema),
});
