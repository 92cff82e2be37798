import * as z from "zod/mini";
import { described, flag, optional, text, texts } from "../../engine";
import { diagnosticSchema, differenceSchema, objectSchema } from "./object-schema";

/**
 * The version of the report format. Additions increase the minor number, incompatible changes the major
 * number.
 */
export const FORMAT_VERSION = "1.10";

const names = z.record(z.string(), z.array(z.string()));

const accessBasisSchema = z.object({
  stack: z.optional(z.string()),
  service: text("The address of the service."),
  project: z.optional(z.string()),
  group: z.optional(z.string()),
  depends_on: texts(
    "Other groups whose members have access to the project or group, such as `group acme/release`. `group *` means any group, because the plan did not read them.",
  ),
});

/**
 * The access changes of one project or group, or of an object in this project or group. An object has an additional key: the
 * provider's word for this kind of object, such as `environment`.
 */
const accessSchema = z.catchall(
  z.object({
    stack: text("The stack whose plan changes the access, if the app has several stacks."),
    stacks: optional(
      "The stacks whose plans change the access, if there are several. The combined effect of several stacks is not counted.",
      z.readonly(z.array(z.string())),
    ),
    service: text("The address of the service, if the run uses several services."),
    project: z.optional(z.string()),
    group: z.optional(z.string()),
    environment: z.optional(z.string()),
    gains: described(
      "The users, groups and projects that gain each ability, such as `deploy` or `approve`. Incomplete if `not_counted` is not empty.",
      names,
    ),
    loses: described("The users, groups and projects that lose each ability.", names),
    notes: optional(
      "Additions to names, such as `as Developer` for a new member, or `except project acme/tools` for `every project`.",
      z.array(
        z.object({
          name: z.string(),
          note: z.string(),
          ability: text("The ability of the note."),
        }),
      ),
    ),
    rules: described(
      "The changed rules, which apply to all users, such as the number of `approvals`.",
      z.array(
        z.object({
          name: z.string(),
          before: described("The earlier value, a text or a number.", z.unknown()),
          after: z.unknown(),
        }),
      ),
    ),
    not_counted: described(
      "Changes that the token can't see or the report can't evaluate, with the reason.",
      z.array(z.object({ what: z.string(), why: z.string() })),
    ),
    text: described(
      "The access change in one line, such as `environment production: +2 can deploy (ada, ben); approvals 2 → 1`.",
      z.string(),
    ),
    changes: optional(
      "The addresses of the objects whose changes cause the access change.",
      z.readonly(z.array(z.string())),
    ),
  }),
  z.unknown(),
);

/**
 * A right that a token needs to apply the plan, or an object whose rights are not known. A key such as `project` says where the
 * token needs a role.
 */
const rightSchema = z.catchall(
  z.object({
    stack: text("The stack whose plan needs the right, if the app has several stacks."),
    stacks: optional(
      "The stacks whose plans need the right, if there are several.",
      z.readonly(z.array(z.string())),
    ),
    scope: text("A scope of the token, such as `api`."),
    role: text(
      "A role of the token's user in `project` or `group`. Without both, it is a role on the whole service.",
    ),
    project: z.optional(z.string()),
    group: z.optional(z.string()),
    has: optional(
      "Whether the token of the run has the right. Null if the service does not report it.",
      z.nullable(z.boolean()),
    ),
    not_known: text("An object whose required rights are not known."),
    why: text("The reason why the rights are not known."),
  }),
  z.unknown(),
);

const output = z.object({
  name: z.string(),
  action: z.enum(["no-op", "create", "update", "delete"]),
  difference: z.optional(differenceSchema),
});

const stack = z.object({
  name: described(
    "The name of the stack. Null for a configuration that is not a stack of an app.",
    z.nullable(z.string()),
  ),
  plan: optional(
    "Facts about the whole plan of the stack.",
    z.object({
      mode: z.enum(["normal", "destroy", "refresh-only"]),
      applicable: described("Whether the plan can be applied. False after an error.", z.boolean()),
      has_changes: z.boolean(),
      counts: described(
        "The numbers of objects to `add`, `change`, `remove`, `import` and `move`. `--json` uses the same names.",
        z.record(z.string(), z.number()),
      ),
    }),
  ),
  objects: z.array(objectSchema),
  outside: optional(
    "Objects that were changed outside since the last apply and can affect a change of the plan.",
    z.array(objectSchema),
  ),
  outputs: z.array(output),
  unchecked: described("The number of objects that could not be checked.", z.number()),
  ignored: described(
    "Findings that an entry of the file of `--ignore` accepts, with its reason.",
    z.array(z.object({ object: z.string(), reason: z.string() })),
  ),
  known: described("The number of differences that the earlier run of `--since` reported.", z.number()),
  known_fingerprints: described(
    "The fingerprints of these differences. The next run recognizes the differences by them.",
    z.readonly(z.array(z.string())),
  ),
  diagnostics: described("Diagnostics that are not about a single object.", z.array(diagnosticSchema)),
});

const waiver = z.object({
  status: described(
    "`active`, `ending` (within 14 days), `unused`, or `ended`: its findings count again.",
    z.enum(["active", "ending", "ended", "unused"]),
  ),
  uses: described("The number of findings that the waiver accepted.", z.number()),
  accepted: texts("The findings that the waiver accepted."),
  rule: text("The policy rule of the waiver."),
  setting: text("The setting whose drift the waiver accepts."),
  attribute: z.optional(z.string()),
  kind: z.optional(z.enum(["changed", "vanished", "unmanaged", "unlisted", "unchecked"])),
  project: described("The projects of the waiver. `*` matches any text.", z.string()),
  reason: z.string(),
  owner: z.optional(z.string()),
  until: text("The first day on which the waiver no longer applies."),
  for_this_run: flag("Whether the waiver comes from `--waive`."),
});

const request = z.object({
  stack: text("The stack, if the app has several stacks."),
  address: z.string(),
  method: z.optional(z.string()),
  path: text("The path of the request, relative to the root of the API."),
  body: optional("The body of the request, without sensitive values.", z.unknown()),
  not_known: text("The reason why requests of the object are missing."),
});

/** The result of a run, as `--report` writes it to a `.json` file. Steward makes all other formats from this result. */
export const reportSchema = z.object({
  format_version: z.string(),
  steward_version: z.string(),
  command: z.enum(["plan", "apply", "destroy", "drift"]),
  started_at: z.string(),
  finished_at: z.string(),
  run: optional(
    "The CI job of the run, from the usual environment variables, and the services of the objects.",
    z.object({
      commit: z.optional(z.string()),
      pipeline: text("The web page of the pipeline."),
      job: text("The web page of the job."),
      services: z.optional(z.readonly(z.array(z.string()))),
    }),
  ),
  result: described(
    "`clean` without changes or drift, `found` with changes or drift. `failed` after an error, and for an apply that was not approved.",
    z.enum(["clean", "found", "failed"]),
  ),
  summary: text("The headline, such as `Steward plan: 1 to add, 0 to change, 0 to destroy`."),
  totals: optional(
    "The numbers of objects. Plan and apply have `create`, `update`, `destroy`, `import`, `move` and `forget`. Drift has `changed`, `vanished`, `unmanaged` and `in_sync`. " +
      "All commands have `failed`, `unchecked` and `not_started`. The numbers are incomplete if the result is `failed`.",
    z.record(z.string(), z.number()),
  ),
  limited_to: optional(
    "The options that limited the run to a part of the objects. Absent if all were included.",
    z.object({
      stacks: z.optional(z.array(z.string())),
      targets: z.optional(z.array(z.string())),
      excludes: z.optional(z.array(z.string())),
      shard: optional(
        "With `--shard`: the number of this shard and of all shards, and the number of stacks of the app.",
        z.object({
          number: z.number(),
          of: z.number(),
          of_stacks: z.number(),
          divided: texts("The stacks whose fleet is divided among the shards by project."),
        }),
      ),
    }),
  ),
  coverage: texts(
    "With `drift --coverage`: the projects and groups that were searched completely, such as `project 42`.",
  ),
  stacks: z.array(stack),
  access: optional(
    "With `--access`: the access changes by project and environment. An entry without a project or group contains the changes that are not counted.",
    z.array(accessSchema),
  ),
  access_basis: optional(
    "With `--access` and several stacks: the projects and groups in which each stack can affect access. `report merge` uses the list to find stacks that change the same place.",
    z.array(accessBasisSchema),
  ),
  rights: optional(
    "With `--rights`: the scopes and roles that a token needs to apply the plan. A right that another right implies is left out.",
    z.array(rightSchema),
  ),
  waivers: optional("The waivers of policy rules, or of drift.", z.array(waiver)),
  requests: optional(
    "With `--show-requests`: the requests that an apply would send. The requests of one object are in their order.",
    z.array(request),
  ),
});

export type Report = z.infer<typeof reportSchema>;
export type ReportWaiver = NonNullable<Report["waivers"]>[number];
export type ReportAccess = NonNullable<Report["access"]>[number];
export type ReportAccessBasis = NonNullable<Report["access_basis"]>[number];
export type ReportRight = NonNullable<Report["rights"]>[number];
export type ReportStack = Report["stacks"][number];
export type ReportObject = ReportStack["objects"][number];
export type ReportOutput = ReportStack["outputs"][number];
export type ReportAttribute = ReportObject["attributes"][number];
export type ReportDiagnostic = ReportStack["diagnostics"][number];
export type ReportCommand = Report["command"];
