import * as z from "zod/mini";
import { described, flag, optional, text, texts } from "../../engine";
import { diagnosticSchema, differenceSchema, objectSchema } from "./object-schema";

/**
 * The version of the report format. Additions increase the minor number, incompatible changes the major
 * number.
 */
export const FORMAT_VERSION = "1.9";

const names = z.record(z.string(), z.array(z.string()));

const accessBasisSchema = z.object({
  stack: z.optional(z.string()),
  service: text("The address of the service."),
  project: z.optional(z.string()),
  group: z.optional(z.string()),
  depends_on: texts(
    "The groups outside of it whose members have access in it, such as `group acme/release`. `group *`: any group, because the plan did not read them.",
  ),
});

/**
 * The access changes for people in one place. The provider's kinds are additional keys, such as `project` and
 * `environment`.
 */
const accessSchema = z.catchall(
  z.object({
    stack: text("The stack whose plan changes it, if the app has several."),
    stacks: optional(
      "The stacks whose plans change it, if there are several. What they change together is not counted.",
      z.readonly(z.array(z.string())),
    ),
    service: text("The address of the service, if the run is about several."),
    project: z.optional(z.string()),
    group: z.optional(z.string()),
    environment: z.optional(z.string()),
    gains: described(
      "Who gains what: names by ability, such as usernames by `deploy` and `approve`. Incomplete if `not_counted` is not empty.",
      names,
    ),
    loses: described("Who loses what.", names),
    notes: optional(
      "What belongs to a name, such as `as Developer` to that of a new member, or `except project acme/tools` to `every project`.",
      z.array(
        z.object({
          name: z.string(),
          note: z.string(),
          ability: text("The ability that the note is about."),
        }),
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
    changes: optional(
      "The addresses of the objects whose change it comes from.",
      z.readonly(z.array(z.string())),
    ),
  }),
  z.unknown(),
);

/** A right that the plan needs, or what could not be determined. The role's place is a key such as `project`. */
const rightSchema = z.catchall(
  z.object({
    stack: text("The stack whose plan needs it, if the app has several."),
    stacks: optional(
      "The stacks whose plans need it, if there are several.",
      z.readonly(z.array(z.string())),
    ),
    scope: text("A scope of the token, such as `api`."),
    role: text("A role of the token's user, in `project` or `group`; without both on the whole service."),
    project: z.optional(z.string()),
    group: z.optional(z.string()),
    has: optional(
      "Whether the token of the run has it; null if the service does not tell.",
      z.nullable(z.boolean()),
    ),
    not_known: text("An object whose rights could not be determined."),
    why: text("The reason."),
  }),
  z.unknown(),
);

const output = z.object({
  name: z.string(),
  action: z.enum(["no-op", "create", "update", "delete"]),
  difference: z.optional(differenceSchema),
});

const stack = z.object({
  name: described("Null for a configuration that is not a stack of an app.", z.nullable(z.string())),
  plan: optional(
    "What the plan is as a whole.",
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
  objects: z.array(objectSchema),
  outside: optional(
    "What changed outside since the last apply, as far as changes of the plan may depend on it.",
    z.array(objectSchema),
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
  diagnostics: described("Diagnostics that belong to no single object.", z.array(diagnosticSchema)),
});

const waiver = z.object({
  status: described(
    "active, ending (within 14 days), ended (what it accepted counts again), or unused.",
    z.enum(["active", "ending", "ended", "unused"]),
  ),
  uses: described("The number of findings that it accepted.", z.number()),
  accepted: texts("Each of them."),
  rule: text("The policy rule that it waives."),
  setting: text("Or the setting that drift passes over."),
  attribute: z.optional(z.string()),
  kind: z.optional(z.enum(["changed", "vanished", "unmanaged", "unlisted", "unchecked"])),
  project: described("The projects that it holds for; `*` matches any text.", z.string()),
  reason: z.string(),
  owner: z.optional(z.string()),
  until: text("The first day on which it holds no longer."),
  for_this_run: flag("Given with `--waive`."),
});

const request = z.object({
  stack: text("The stack, if the app has several."),
  address: z.string(),
  method: z.optional(z.string()),
  path: text("The path relative to the root of the API."),
  body: optional("The body, without sensitive values.", z.unknown()),
  not_known: text("Why requests of the object are missing."),
});

/** The result of a run, as `--report` writes it to a `.json` file. All other formats are derived from it. */
export const reportSchema = z.object({
  format_version: z.string(),
  steward_version: z.string(),
  command: z.enum(["plan", "apply", "destroy", "drift"]),
  started_at: z.string(),
  finished_at: z.string(),
  run: optional(
    "Where the run took place, as far as the CI's usual variables tell it, and the services that it is about.",
    z.object({
      commit: z.optional(z.string()),
      pipeline: text("The web page of the pipeline."),
      job: text("The web page of the job."),
      services: z.optional(z.readonly(z.array(z.string()))),
    }),
  ),
  result: described(
    "`clean`: no changes and no drift; `found`: changes or drift; `failed`: an error, or the " +
      "plan was not approved.",
    z.enum(["clean", "found", "failed"]),
  ),
  summary: text("What people read first, such as `Steward plan: 1 to add, 0 to change, 0 to destroy`."),
  totals: optional(
    "The number of objects: of a plan and an apply `create`, `update`, `destroy`, `import`, `move`, `forget`; of drift `changed`, `vanished`, `unmanaged`, `in_sync`; " +
      "and of both `failed`, `unchecked`, `not_started`. Incomplete if the result is `failed`.",
    z.record(z.string(), z.number()),
  ),
  limited_to: optional(
    "The options that limited the run to a part of the objects. Absent if all were included.",
    z.object({
      stacks: z.optional(z.array(z.string())),
      targets: z.optional(z.array(z.string())),
      excludes: z.optional(z.array(z.string())),
      shard: optional(
        "With `--shard`: this part of the app's stacks, and the number of all of them.",
        z.object({
          number: z.number(),
          of: z.number(),
          of_stacks: z.number(),
          divided: texts("The stacks with a fleet of which each shard has the objects of some projects."),
        }),
      ),
    }),
  ),
  coverage: texts(
    "`drift --coverage`: the projects and groups whose undeclared objects were all listed, such as `project 42`.",
  ),
  stacks: z.array(stack),
  access: optional(
    "With `--access`: who gains and who loses access, by project and environment. An entry without a project or group has what could not be assigned to one.",
    z.array(accessSchema),
  ),
  access_basis: optional(
    "With `--access` and several stacks: the projects and groups in which each stack changes what access depends on. `report merge` finds with it what stacks change together.",
    z.array(accessBasisSchema),
  ),
  rights: optional(
    "With `--rights`: the scopes and roles that a token needs to apply the plan, without those that others imply.",
    z.array(rightSchema),
  ),
  waivers: optional("The waivers of the run's rules, or of drift.", z.array(waiver)),
  requests: optional(
    "With `--show-requests`: the requests that an apply would send, in their order within an object.",
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
