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

export const diagnosticSchema = z.object({
  severity: z.enum(["error", "warning"]),
  code: described("A code that `docs/errors.md` lists.", z.string()),
  summary: z.string(),
  detail: z.string(),
  attribute: z.optional(z.string()),
  address: z.optional(z.string()),
  construct: z.optional(z.string()),
  rule: described("The name of the policy rule that found it.", z.optional(z.string())),
  cause: described(
    "Equal in diagnostics of one cause, such as a refused token; absent if the diagnostic has a cause of its own.",
    z.optional(z.string()),
  ),
});

/**
 * One attribute that differs. A plan compares before and after; drift compares the applied and the live
 * value.
 */
export const attributeSchema = z.object({
  name: z.string(),
  sensitive: described("Whether the attribute is sensitive. Its values are left out.", z.boolean()),
  unknown: described(
    "Whether the value is only known after apply. `after` is left out.",
    z.optional(z.boolean()),
  ),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
  before_name: described("The name of `before`, such as `Developer` for 30.", z.optional(z.string())),
  after_name: described("The name of `after`.", z.optional(z.string())),
  changed_outside: described(
    "Plan: the value was changed outside since the last apply. The values are left out if the attribute is sensitive.",
    z.optional(z.object({ applied: z.optional(z.unknown()), live: z.optional(z.unknown()) })),
  ),
  live: described(
    "Plan: the live value that creating a setting replaces, because the setting exists anyway.",
    z.optional(z.unknown()),
  ),
  declared: described(
    "Drift: the declared value, if it differs from the applied one.",
    z.optional(z.unknown()),
  ),
  known_to_be_declared: described(
    "False if the attribute is optional and the state does not show whether it is declared " +
      "(drift of a state without a configuration).",
    z.optional(z.literal(false)),
  ),
  difference: differenceSchema,
});

const field = z.object({ name: z.string(), difference: differenceSchema });

export const objectSchema = z.object({
  address: z.string(),
  deposed: described(
    "The key of an object that is left over from a replacement that failed in part.",
    z.optional(z.string()),
  ),
  type: z.string(),
  project: described(
    "The project's full path, or its numeric id while the path is not known.",
    z.optional(z.string()),
  ),
  group: described("The same for an object of a group.", z.optional(z.string())),
  url: described("The web page of the project or group.", z.optional(z.string())),
  id: described(
    "The object's id, as `steward import` accepts it, if the object exists.",
    z.optional(z.string()),
  ),
  name: described(
    "What tells the object from others of its project or group, such as `production` or a user; absent for a setting.",
    z.optional(z.string()),
  ),
  construct: described(
    "Path of the construct that declares the object, if the app provides it.",
    z.optional(z.string()),
  ),
  file: described(
    "The app's file that declares the object, relative to the app's folder, if the construct recorded it.",
    z.optional(z.string()),
  ),
  line: described("The line in the file, counted from 1.", z.optional(z.number())),
  action: described(
    "What the plan does with the object. Absent in drift reports.",
    z.optional(
      z.enum(["no-op", "create", "read", "update", "delete", "replace", "import", "move", "forget"]),
    ),
  ),
  create_first: described(
    "Of a replacement: it creates the new object before it destroys the old one.",
    z.optional(z.literal(true)),
  ),
  import_id: described(
    "The id by which the live object is imported, whether the plan changes it or not.",
    z.optional(z.string()),
  ),
  previous_address: described("The address of the object before a move.", z.optional(z.string())),
  same_as: described(
    "Another address that declares the same object, so that it is kept.",
    z.optional(z.string()),
  ),
  takes_over: described("The address whose existing object it adopts.", z.optional(z.string())),
  reason: described(
    "The reason, with Terraform's codes such as `replace_because_tainted`.",
    z.optional(z.string()),
  ),
  strictness: described(
    "What the change, or the drift, means for access: `looser` allows more than before, `tighter` less, `mixed` both in parts. " +
      "Absent if access stays the same, and for objects of other providers.",
    z.optional(z.enum(["looser", "tighter", "mixed"])),
  ),
  stays_on_service: described(
    "The service keeps the object as it is: destroying it removes it from the state only, because the setting exists anyway.",
    z.optional(z.literal(true)),
  ),
  deleted_outside: described(
    "Plan: the object was deleted outside since the last apply, so the plan creates it again.",
    z.optional(z.literal(true)),
  ),
  live_not_known: described(
    "Plan: why the live values that creating a setting replaces could not be read.",
    z.optional(z.string()),
  ),
  depends_on: described(
    "Of an object that changes or drifts: the managed resources that its declaration refers to, directly or " +
      "through locals and data sources, without instance keys.",
    z.optional(z.array(z.string())),
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
  unchecked: described(
    "The object could not be checked: its live values are unknown. The status is `failed`.",
    z.optional(z.boolean()),
  ),
  not_repaired: described(
    "`drift --repair`: why the repair left the object unchanged.",
    z.optional(z.string()),
  ),
  repaired: described("`drift --repair`: the repair restored what was applied.", z.optional(z.literal(true))),
  known: described(
    "`drift --since`: the object drifts, and the earlier run reported it. The status is `in_sync`, and `attributes` has the difference.",
    z.optional(z.literal(true)),
  ),
  container: described(
    "Undeclared objects: the project or group, as `coverage` of the report names it.",
    z.optional(z.string()),
  ),
  undeclared: described(
    "Undeclared settings: the attributes without a declaration whose values are not the service's defaults.",
    z.optional(z.array(z.string())),
  ),
  is_declared: described(
    "Undeclared settings: a declaration manages the object, and leaves these attributes out.",
    z.optional(z.literal(true)),
  ),
  is_container: described(
    "Undeclared objects: a project or group of a covered one that no declaration names.",
    z.optional(z.literal(true)),
  ),
  undeclarable: described("Undeclared objects: why a declaration would be refused.", z.optional(z.string())),
  commands: described(
    "Undeclared objects: the commands that import the object, and that write its declaration. Drift: the commands that restore " +
      "what was applied, and that write the live values into the code, and an entry for the file of `--ignore`.",
    z.optional(
      z.object({
        import: z.optional(z.string()),
        adopt: z.optional(z.string()),
        repair: z.optional(z.string()),
        accept: z.optional(z.string()),
        ignore: z.optional(z.string()),
      }),
    ),
  ),
  fingerprint: described("Drift: identifies the same difference in several runs.", z.optional(z.string())),
  attributes: z.array(attributeSchema),
  unchanged: described(
    "What stays of an object that changes: `id` and `name`, and the number of its other attributes.",
    z.optional(z.object({ identity: z.array(field), others: z.number() })),
  ),
  diff: described(
    "The differences of all attributes in the format of a plan, over several lines. Empty if nothing differs.",
    z.optional(z.string()),
  ),
  diagnostics: z.array(diagnosticSchema),
});
