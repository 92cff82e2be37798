import * as z from "zod/mini";
import { changeFacts, changeOrigin, described, flag, optional, text, texts } from "../../engine";
import type { Difference } from "../difference";

const mark = described(
  "`+` is added, `-` is removed, `~` is changed, and a space is unchanged.",
  z.enum(["+", "-", "~", " "]),
);

const line = z.object({ mark, text: z.string() });

const facts = {
  mark,
  forces: flag("Whether the change of this value forces the replacement of the object."),
  notes: texts("Notes that a plan shows after the value, such as `live: false` or `added outside`."),
  remarks: texts("Remarks that a plan shows on separate lines."),
};

/** The schema of `Difference`, a difference as a tree. */
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
    "A difference between two values, as a plan shows it. It compares objects by field, sets and lists by element, and texts by line.",
});

export const diagnosticSchema = z.object({
  severity: z.enum(["error", "warning"]),
  code: described("The code of the diagnostic, from `docs/errors.md`.", z.string()),
  summary: z.string(),
  detail: z.string(),
  attribute: z.optional(z.string()),
  address: z.optional(z.string()),
  construct: z.optional(z.string()),
  position: text("The file and line of the declaration in the app, such as `main.ts:9`."),
  rule: text("The policy rule that reported the diagnostic."),
  cause: text(
    "Equal for all diagnostics with the same cause, such as a refused token. Absent if no other diagnostic can have the cause.",
  ),
});

/**
 * An attribute that differs. In a plan, the values are from before and after the change. In drift, the values are the applied
 * and the live value. The values have the encoding of the change record: see `recorded-values.ts` of the engine.
 */
export const attributeSchema = z.object({
  name: z.string(),
  sensitive: described(
    "Whether the attribute, or a part of it, is sensitive. The report then has none of its values.",
    z.boolean(),
  ),
  unknown: optional("Whether the whole value, or a part of it, is known only after the apply.", z.boolean()),
  before: optional(
    "The value before the change, or the applied value in drift. In all values of an attribute, keys that start with `$` have a second `$` (since format 1.10).",
    z.unknown(),
  ),
  after: optional(
    'The value after the change, or the live value in drift. `{"$unknown": true}` represents a part that is known only after the apply (since format 1.10). Absent if the whole value is unknown.',
    z.unknown(),
  ),
  before_name: text("The name of `before`, such as `Developer` for 30."),
  after_name: text("The name of `after`."),
  changed_outside: optional(
    "Plan: the applied and live value, if the value was changed outside since the last apply. Without values if the attribute is sensitive.",
    z.object({ applied: z.optional(z.unknown()), live: z.optional(z.unknown()) }),
  ),
  live: optional(
    "Plan: the live value of a setting that the plan creates. Settings exist on the service anyway, so the create replaces this value.",
    z.unknown(),
  ),
  declared: optional("Drift: the declared value, if it differs from the applied value.", z.unknown()),
  known_to_be_declared: optional(
    "Drift of a state without a configuration: false if the attribute is optional, because the state does not show whether it is declared.",
    z.literal(false),
  ),
  difference: differenceSchema,
});

const field = z.object({ name: z.string(), difference: differenceSchema });

export const objectSchema = z.object({
  ...changeFacts,
  ...changeOrigin,
  action: optional("The action of the plan on the object. Absent in drift reports.", changeFacts.action),
  project: text("The full path of the project, or its numeric id if the path is not known."),
  group: text("The full path of the group, or its numeric id if the path is not known."),
  url: text("The web page of the project or group."),
  id: text("The id of the object, as `steward import` accepts it. Absent if the object does not exist."),
  name: text(
    "The name that distinguishes the object from others of its project or group, such as `production`. Absent for a setting.",
  ),
  strictness: optional(
    "The effect of the change or drift on access: `looser` allows more, `tighter` allows less, `mixed` has parts of both. " +
      "Absent without an effect, and for objects of other providers.",
    z.enum(["looser", "tighter", "mixed"]),
  ),
  stays_on_service: flag(
    "Whether a destroy only removes the object from the state. The setting exists on the service anyway, and stays unchanged.",
  ),
  deleted_outside: flag(
    "Plan: whether the object was deleted outside since the last apply. The plan creates it again.",
  ),
  is_revert: flag(
    "Plan: whether the change only reverts a manual change, and restores the values of the last apply.",
  ),
  depends_on: texts(
    "The managed resources that the declaration of a changed or drifted object refers to, without instance keys. " +
      "References through locals and data sources count.",
  ),
  status: described(
    "Plan: `planned`, `unchanged` or `failed`. Apply and destroy: `done`, `unchanged`, `not_done` or `failed`. Drift: `in_sync`, `changed`, `vanished`, `unmanaged` or `failed`.",
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
    "Whether the object could not be checked, so that its live values are unknown. The status is then `failed`.",
    z.boolean(),
  ),
  not_repaired: text("With `drift --repair`: the reason why the repair left the object unchanged."),
  repaired: flag("With `drift --repair`: whether the repair restored the applied values."),
  known: flag(
    "With `drift --since`: whether the earlier run reported this drift. The status is then `in_sync`, and `attributes` has the difference.",
  ),
  container: text("Undeclared objects: the project or group, in the form of the list `coverage`."),
  undeclared: texts(
    "Undeclared settings: the attributes that no declaration contains, and whose values differ from the defaults of the service.",
  ),
  is_declared: flag(
    "Undeclared settings: whether a declaration manages the object, without these attributes.",
  ),
  is_container: flag("Undeclared objects: whether the object is a project or group within a searched group."),
  undeclarable: text("Undeclared objects: the reason why Steward would refuse a declaration."),
  unlisted: text(
    "The reason why the token can't list the objects of this type. The id is then the path of the project or group.",
  ),
  commands: optional(
    "Commands to copy. For undeclared objects, they import the object (`import`) and write its declaration (`adopt`). For drift, they restore the applied values (`repair`) and write the live values into the code (`accept`). " +
      "`ignore` is an entry for the file of `--ignore`.",
    z.object({
      import: z.optional(z.string()),
      adopt: z.optional(z.string()),
      repair: z.optional(z.string()),
      accept: z.optional(z.string()),
      ignore: z.optional(z.string()),
    }),
  ),
  fingerprint: text("Drift: a text that identifies the same difference in several runs."),
  attributes: z.array(attributeSchema),
  unchanged: optional(
    "The unchanged attributes of a changed object: `id` and `name`, and the number of the others.",
    z.object({ identity: z.array(field), others: z.number() }),
  ),
  diff: text("The differences of all attributes as lines of a plan. Empty without differences."),
  diagnostics: z.array(diagnosticSchema),
});
