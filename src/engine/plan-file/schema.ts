import * as z from "zod/mini";
import { CODES, type DiagnosticAction, type ErrorCode, OTHER_PROGRAMS } from "../../diagnostics";
import type { Json, JsonObject } from "../../state";
import { changeFacts, changeOrigin, changeValues, objectOf } from "../results/change-record";
import { CHECK_STATUSES, CHECKABLE_KINDS } from "../results/check-results";
import { isEncoded } from "../results/recorded-values";

// The schema of a file with the plans of one command, in format version 3. It is strict, so it rejects any other shape.

const value = z.custom<Json>(isEncoded, "Invalid value");
const values = z.custom<JsonObject>(
  (json) => typeof json === "object" && json !== null && !Array.isArray(json) && isEncoded(json),
  "Invalid values",
);
const count = z.int().check(z.minimum(0));
const optional = z.exactOptional;
const path = z.array(z.union([z.string(), count]));

const change = z
  .strictObject({
    ...changeFacts,
    ...changeOrigin,
    ...changeValues,
    /** The path of the container, if the object names the container by its number. */
    path: optional(z.string()),
  })
  .check(z.refine((one) => objectOf(one) !== undefined, "Invalid address"));

const output = z.strictObject({
  name: z.string(),
  action: z.enum(["no-op", "create", "update", "delete"]),
  before: value,
  after: value,
  afterType: optional(value),
  sensitive: z.boolean(),
});

const checkStatus = z.enum(CHECK_STATUSES);
const check = z.strictObject({
  kind: z.enum(CHECKABLE_KINDS),
  declaration: z.string(),
  status: checkStatus,
  objects: z.array(
    z.strictObject({ address: z.string(), status: checkStatus, failureMessages: z.array(z.string()) }),
  ),
});

const name = z.string();
const stacks = z.strictObject({ from: name, to: name });
const kind = <K extends string, F extends z.core.$ZodLooseShape>(kind: K, fields: F) =>
  z.strictObject({ kind: z.literal(kind), ...fields });
/**
 * The schemas of all kinds of actions. If a kind were missing, the plan of a run with such an action could be saved, but not
 * read.
 */
const ACTION_KINDS: {
  readonly [K in DiagnosticAction["kind"]]: z.ZodMiniType<Extract<DiagnosticAction, { kind: K }>>;
} = {
  import: kind("import", { address: optional(name), id: name }),
  stateRm: kind("stateRm", { address: optional(name), stack: optional(name) }),
  stateRmAll: kind("stateRmAll", { addresses: z.array(name) }),
  move: kind("move", { from: name, to: name, stacks: optional(stacks) }),
  moveAll: kind("moveAll", { stacks, patterns: optional(z.array(name)) }),
  plan: kind("plan", { stack: optional(name), lock: optional(z.literal(false)), out: optional(name) }),
  apply: kind("apply", { stack: optional(name) }),
  other: kind("other", { program: z.enum(OTHER_PROGRAMS), target: optional(name) }),
  list: kind("list", {}),
  types: kind("types", {}),
  show: kind("show", { file: name }),
  migrate: kind("migrate", { state: name, to: name }),
  unlock: kind("unlock", { id: name }),
  moved: z.union([kind("moved", { from: name, to: name }), kind("moved", { type: name })]),
  removed: kind("removed", { type: name, id: optional(name) }),
  forget: kind("forget", { type: name }),
};
const action: z.ZodMiniType<DiagnosticAction> = z.union(Object.values(ACTION_KINDS));

const diagnostic = z.strictObject({
  severity: z.enum(["error", "warning"]),
  code: z.custom<ErrorCode>((code) => typeof code === "string" && CODES.has(code), "Unknown code"),
  summary: z.string(),
  detail: z.string(),
  action: optional(action),
  cause: optional(z.string()),
  /** The path of an attribute. For an element of a set, `element` is the content of the element. */
  attribute: optional(z.array(z.union([z.string(), count, z.strictObject({ element: z.string() })]))),
  address: optional(z.string()),
  construct: optional(z.string()),
  position: optional(z.string()),
  item: optional(z.string()),
});

/** The schema of a recorded plan. Steward shows and applies the record. */
const record = z.strictObject({
  mode: z.enum(["normal", "destroy", "refresh-only"]),
  timestamp: z.string(),
  applicable: z.boolean(),
  complete: z.boolean(),
  hasChanges: z.boolean(),
  summary: z.strictObject({ add: count, change: count, remove: count, import: count, move: count }),
  variables: values,
  sensitiveVariables: z.array(z.string()),
  changes: z.array(change),
  drift: z.array(change),
  outputs: z.array(output),
  relevantAttributes: z.array(z.strictObject({ resource: z.string(), attribute: path })),
  checks: z.array(check),
  diagnostics: z.array(diagnostic),
  unchecked: z.array(z.string()),
  blocked: z.array(z.string()),
  priorState: optional(values),
  configuration: values,
});

/** The options of the plan that are not in its configuration. The plan is made again with the same options. */
const asked = z.strictObject({
  targets: optional(z.array(z.string())),
  excludes: optional(z.array(z.string())),
  containers: optional(z.array(z.string())),
  /** The shard of the run, if all shards process parts of the stack. */
  share: optional(z.strictObject({ number: count, total: count })),
  replace: optional(z.array(z.string())),
  importsExisting: optional(z.boolean()),
  allowLeaving: optional(z.number()),
});
export const ASKED = Object.keys(asked.shape) as readonly (keyof SavedPlan["asked"])[];

const plan = z.strictObject({
  asked,
  /** Set if the plan was made without a refresh. */
  refresh: optional(z.literal(false)),
  /** The data on which the plan is based. The plan is applied only if all of these data are unchanged. */
  basis: z.strictObject({
    state: z.nullable(z.strictObject({ lineage: z.string(), serial: count, digest: z.string() })),
    configuration: z.string(),
    /** The addresses of services, by the key of the provider configuration. */
    services: z.record(z.string(), z.string()),
  }),
  /** The names of the ephemeral variables that had a value, and therefore need a value again. */
  ephemeral: optional(z.array(z.string())),
  /** Hashes of the values of sensitive variables. The user must give these values again. */
  guarded: z.record(z.string(), z.strictObject({ salt: z.string(), hash: z.string() })),
  record,
});

/** The plans of one command. */
export const planFileBody = z.strictObject({
  /**
   * The source of the stacks, as paths relative to the working folder. `again` contains the options that the user must give
   * again, because their paths are outside of that folder.
   */
  source: z.strictObject({
    config: optional(z.string()),
    state: optional(z.string()),
    again: z.array(z.enum(["config", "state"])),
  }),
  stacks: z.array(z.strictObject({ name: optional(z.string()), plan })),
});

export type PlanFile = z.output<typeof planFileBody>;
/** The saved plan of one stack. */
export type SavedPlan = PlanFile["stacks"][number]["plan"];
export type RecordJson = SavedPlan["record"];
export type ChangeJson = RecordJson["changes"][number];
