import * as z from "zod/mini";
import type { Difference } from "../difference";

/**
 * The version of the report format. Additions increase the minor number, incompatible changes the major
 * number.
 */
export const FORMAT_VERSION = "1.7";

/** A schema with the description that `docs/report.schema.json` shows. */
const described = <T extends z.core.$ZodType>(description: string, schema: T): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

const diagnostic = z.object({
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
    "`drift --since`: the object drifts, and the earlier run reported it. The status is `in_sync`, and the difference is left out.",
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
  diagnostics: z.array(diagnostic),
});

const output = z.object({
  name: z.string(),
  action: z.enum(["no-op", "create", "update", "delete"]),
  difference: z.optional(differenceSchema),
});

const stack = z.object({
  name: described("Null for a configuration that is not a stack of an app.", z.nullable(z.string())),
  plan: described(
    "What the plan is as a whole.",
    z.optional(
      z.object({
        mode: z.enum(["normal", "destroy", "refresh-only"]),
        applicable: described("False if an error keeps it from being applied.", z.boolean()),
        has_changes: z.boolean(),
        counts: described(
          "The numbers of objects to `add`, `change`, `remove`, `import` and `move`, as in `--json`.",
          z.record(z.string(), z.number()),
        ),
      }),
    ),
  ),
  objects: z.array(objectSchema),
  outside: described(
    "What changed outside since the last apply, as far as changes of the plan may depend on it.",
    z.optional(z.array(objectSchema)),
  ),
  outputs: z.array(output),
  unchecked: described("Number of objects that could not be checked.", z.number()),
  ignored: described(
    "Drift and uncheckable objects that the ignore file suppresses.",
    z.array(z.object({ object: z.string(), reason: z.string() })),
  ),
  known: described("Number of differences that an earlier run already reported.", z.number()),
  known_fingerprints: described(
    "Fingerprints of these differences, so that the next run recognizes them.",
    z.readonly(z.array(z.string())),
  ),
  diagnostics: described("Diagnostics that belong to no single object.", z.array(diagnostic)),
});

const names = z.record(z.string(), z.array(z.string()));

/** What changes for people in one place. The provider's kinds are keys beside these, such as `project` and `environment`. */
const access = z.catchall(
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
      z.optional(z.array(z.object({ name: z.string(), note: z.string() }))),
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
const right = z.catchall(
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

const waiver = z.object({
  status: described(
    "active, ending (within 14 days), ended (what it accepted counts again), or unused.",
    z.enum(["active", "ending", "ended", "unused"]),
  ),
  uses: described("The number of findings that it accepted.", z.number()),
  accepted: described("Each of them.", z.optional(z.array(z.string()))),
  rule: described("The policy rule that it waives.", z.optional(z.string())),
  setting: described("Or the setting that drift passes over.", z.optional(z.string())),
  attribute: z.optional(z.string()),
  kind: z.optional(z.enum(["changed", "vanished", "unmanaged", "unchecked"])),
  project: described("The projects that it holds for; `*` matches any text.", z.string()),
  reason: z.string(),
  owner: z.optional(z.string()),
  until: described("The first day on which it holds no longer.", z.optional(z.string())),
  for_this_run: described("Given with `--waive`.", z.optional(z.literal(true))),
});

const request = z.object({
  stack: described("The stack, if the app has several.", z.optional(z.string())),
  address: z.string(),
  method: z.optional(z.string()),
  path: described("The path relative to the root of the API.", z.optional(z.string())),
  body: described("The body, without sensitive values.", z.optional(z.unknown())),
  not_known: described("Why requests of the object are missing.", z.optional(z.string())),
});

/** The result of a run, as `--report` writes it to a `.json` file. All other formats are derived from it. */
export const reportSchema = z.object({
  format_version: z.string(),
  steward_version: z.string(),
  command: z.enum(["plan", "apply", "destroy", "drift"]),
  started_at: z.string(),
  finished_at: z.string(),
  run: described(
    "Where the run took place, as far as the CI's usual variables tell it, and the services that it is about.",
    z.optional(
      z.object({
        commit: z.optional(z.string()),
        pipeline: described("The web page of the pipeline.", z.optional(z.string())),
        job: described("The web page of the job.", z.optional(z.string())),
        services: z.optional(z.readonly(z.array(z.string()))),
      }),
    ),
  ),
  result: described(
    "`clean`: no changes and no drift; `found`: changes or drift; `failed`: an error, or the " +
      "plan was not approved.",
    z.enum(["clean", "found", "failed"]),
  ),
  summary: described(
    "What people read first, such as `Steward plan: 1 to create, 0 to update, 0 to destroy`.",
    z.optional(z.string()),
  ),
  totals: described(
    "The number of objects: of a plan and an apply `create`, `update`, `destroy`, `import`, `move`, `forget`; of drift `changed`, `vanished`, `unmanaged`, `in_sync`; " +
      "and of both `failed`, `unchecked`, `not_started`. Incomplete if the result is `failed`.",
    z.optional(z.record(z.string(), z.number())),
  ),
  limited_to: described(
    "The options that limited the run to a part of the objects. Absent if all were included.",
    z.optional(
      z.object({
        stacks: z.optional(z.array(z.string())),
        targets: z.optional(z.array(z.string())),
        excludes: z.optional(z.array(z.string())),
        shard: described(
          "With `--shard`: this part of the app's stacks, and the number of all of them.",
          z.optional(
            z.object({
              number: z.number(),
              of: z.number(),
              of_stacks: z.number(),
              divided: described(
                "The stacks with a fleet of which each shard has the objects of some projects.",
                z.optional(z.array(z.string())),
              ),
            }),
          ),
        ),
      }),
    ),
  ),
  coverage: described(
    "`drift --coverage`: the projects and groups that were searched for undeclared objects, such as `project 42`.",
    z.optional(z.array(z.string())),
  ),
  stacks: z.array(stack),
  access: described(
    "With `--access`: who gains and who loses access, by project and environment. An entry without a project or group has what could not be assigned to one.",
    z.optional(z.array(access)),
  ),
  rights: described(
    "With `--rights`: the scopes and roles that a token needs to apply the plan, without those that others imply.",
    z.optional(z.array(right)),
  ),
  waivers: described("The waivers of the run's rules, or of drift.", z.optional(z.array(waiver))),
  requests: described(
    "With `--show-requests`: the requests that an apply would send, in their order within an object.",
    z.optional(z.array(request)),
  ),
});

export type Report = z.infer<typeof reportSchema>;
export type ReportWaiver = NonNullable<Report["waivers"]>[number];
export type ReportAccess = NonNullable<Report["access"]>[number];
export type ReportRight = NonNullable<Report["rights"]>[number];
export type ReportStack = Report["stacks"][number];
export type ReportObject = ReportStack["objects"][number];
export type ReportOutput = ReportStack["outputs"][number];
export type ReportAttribute = ReportObject["attributes"][number];
export type ReportDiagnostic = ReportStack["diagnostics"][number];
export type ReportCommand = Report["command"];
