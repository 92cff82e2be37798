import * as z from "zod/mini";

/** The version of the shape below. The number after the dot grows when something is added, the first when something goes. */
export const FORMAT_VERSION = "1.2";

/** A part of the shape, with what `docs/report.schema.json` says of it. */
const described = <T extends z.core.$ZodType>(description: string, schema: T): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

const diagnostic = z.object({
  severity: z.enum(["error", "warning"]),
  code: described("A word of `docs/errors.md`.", z.string()),
  summary: z.string(),
  detail: z.string(),
  attribute: z.optional(z.string()),
  address: z.optional(z.string()),
  construct: z.optional(z.string()),
});

/** One attribute that differs: from before to after, or in drift from what was applied to what is live. */
const attribute = z.object({
  name: z.string(),
  sensitive: described("Values are left out of sensitive attributes.", z.boolean()),
  unknown: described("Known after apply only: there is no `after` yet.", z.optional(z.boolean())),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
  declared: described(
    "Of drift: what the code says by now, where that is not what was applied.",
    z.optional(z.unknown()),
  ),
  known_to_be_declared: described(
    "False in drift of a state alone, where the attribute may be left out and the state does not say whether it is declared.",
    z.optional(z.literal(false)),
  ),
});

const object = z.object({
  address: z.string(),
  type: z.string(),
  construct: described(
    "Path of the construct that declares it, where the app says so.",
    z.optional(z.string()),
  ),
  action: described(
    "What a plan does with it; nothing in drift.",
    z.optional(
      z.enum(["no-op", "create", "read", "update", "delete", "replace", "import", "move", "forget"]),
    ),
  ),
  previous_address: described(
    "Where the object stood in the state before it moved here.",
    z.optional(z.string()),
  ),
  reason: described("Why, in Terraform's words, such as `replace_because_tainted`.", z.optional(z.string())),
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
    "The object could not be looked at: nothing is known of it but what the state says. Its status is `failed`.",
    z.optional(z.boolean()),
  ),
  not_repaired: described(
    "Of `drift --repair`: why the object was left to an apply.",
    z.optional(z.string()),
  ),
  id: described("What import takes; given of what nobody declares.", z.optional(z.string())),
  fingerprint: described(
    "Of drift: the same for the same difference in another run.",
    z.optional(z.string()),
  ),
  attributes: z.array(attribute),
  diff: described(
    "The difference as a plan shows it, over several lines; empty where nothing differs.",
    z.string(),
  ),
  diagnostics: z.array(diagnostic),
});

const output = z.object({ name: z.string(), action: z.enum(["no-op", "create", "update", "delete"]) });

const stack = z.object({
  name: described("Null for a configuration that is no stack of an app.", z.nullable(z.string())),
  objects: z.array(object),
  outputs: z.array(output),
  unchecked: described("How many objects could not be looked at.", z.number()),
  ignored: described(
    "Drift, and objects that can't be seen, that the ignore file passes over.",
    z.array(z.object({ object: z.string(), reason: z.string() })),
  ),
  known: described("How many differences an earlier run had told already.", z.number()),
  known_fingerprints: described(
    "Fingerprints of these: a run after this one knows them as well.",
    z.readonly(z.array(z.string())),
  ),
  diagnostics: described("What concerns no one object.", z.array(diagnostic)),
});

/** What a run did or found, as `--report` writes it to `.json`; every other format is made from it. */
export const reportSchema = z.object({
  format_version: z.string(),
  steward_version: z.string(),
  command: z.enum(["plan", "apply", "destroy", "drift"]),
  started_at: z.string(),
  finished_at: z.string(),
  result: described(
    "`clean`: nothing to tell; `found`: changes or drift; `failed`: an error, or nobody approved.",
    z.enum(["clean", "found", "failed"]),
  ),
  stacks: z.array(stack),
});

export type Report = z.infer<typeof reportSchema>;
export type ReportStack = Report["stacks"][number];
export type ReportObject = ReportStack["objects"][number];
export type ReportAttribute = ReportObject["attributes"][number];
export type ReportDiagnostic = ReportStack["diagnostics"][number];
export type ReportCommand = Report["command"];
