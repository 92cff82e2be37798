import * as z from "zod/mini";
import { described, diagnosticSchema, differenceSchema, objectSchema } from "./object-schema";

/**
 * The version of the report format. Additions increase the minor number, incompatible changes the major
 * number.
 */
export const FORMAT_VERSION = "1.8";

const names = z.record(z.string(), z.array(z.string()));

/** What changes for people in one place. The provider's kinds are keys beside these, such as `project` and `environment`. */
const accessSchema = z.catchall(
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
const rightSchema = z.catchall(
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
  diagnostics: described("Diagnostics that belong to no single object.", z.array(diagnosticSchema)),
});

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
    z.optional(z.array(accessSchema)),
  ),
  rights: described(
    "With `--rights`: the scopes and roles that a token needs to apply the plan, without those that others imply.",
    z.optional(z.array(rightSchema)),
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
