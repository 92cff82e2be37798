import * as z from "zod/mini";
import { type AttributePath, type Diagnostic, error, fail } from "../../diagnostics";
import { parseJson } from "../../json";
import { objectName } from "../../language";
import { type Attributes, isObject, UNKNOWN, type Value, type ValueObject } from "../../schema";
import { isJsonObject, type Json, type JsonObject } from "../../state";
import { compareNatural } from "../../text";
import {
  ACTION_REASONS,
  ACTIONS,
  isShown,
  type OutputChange,
  type Plan,
  type ResourceChange,
  summarize,
} from "../results/plan";
import { markedPaths } from "./changes";
import { dependenciesInJson } from "./dependencies";
import { checkOf, checkResult, failuresOf } from "./read-checks";

// The schema of the output of `terraform show -json` and `tofu show -json` for a plan file. Keys that Steward does not use may
// have any value.

const unknown = z.optional(z.unknown());
const action = z.pipe(
  z.array(z.string()),
  z.transform((words, context): ResourceChange["action"] => {
    const found = ACTIONS.find((one) => one.replaceAll("-then-", ",") === words.join());
    if (found !== undefined) return found;
    context.issues.push({ code: "custom", message: "Unknown actions", input: words });
    return z.NEVER;
  }),
);
const object = z.custom<ValueObject>((value) => isJsonObject(value as Json), "Invalid values");

/** The schema of the fields that name an object in all parts of a plan. */
export const namedObject = z.object({
  address: z.string(),
  mode: z.enum(["managed", "data"]),
  type: z.string(),
  name: z.string(),
  index: z.optional(z.union([z.string(), z.number()])),
  provider_name: z.string(),
});

const resourceChange = z.extend(namedObject, {
  previous_address: z.optional(z.string()),
  deposed: z.optional(z.string()),
  action_reason: z.optional(z.string()),
  change: z.object({
    actions: action,
    before: z.optional(z.nullable(object)),
    after: z.optional(z.nullable(object)),
    after_unknown: unknown,
    before_sensitive: unknown,
    after_sensitive: unknown,
    replace_paths: z.optional(z.array(z.array(z.unknown()))),
    importing: z.optional(z.nullable(z.object({ id: z.optional(z.string()), identity: z.optional(object) }))),
  }),
});

const outputChange = z.object({
  actions: action,
  before: unknown,
  after: unknown,
  after_unknown: unknown,
  before_sensitive: unknown,
  after_sensitive: unknown,
});

const planFile = z.object({
  format_version: z.string().check(z.regex(/^[01]\.\d+$/, "Unknown version of the format")),
  timestamp: z.optional(z.string()),
  variables: z.optional(z.record(z.string(), z.object({ value: unknown }))),
  planned_values: object,
  resource_changes: z.optional(z.array(resourceChange)),
  resource_drift: z.optional(z.array(resourceChange)),
  output_changes: z.optional(z.record(z.string(), outputChange)),
  relevant_attributes: z.optional(
    z.array(z.object({ resource: z.string(), attribute: z.array(z.union([z.string(), z.number()])) })),
  ),
  checks: z.optional(z.array(checkResult)),
  prior_state: z.optional(object),
  configuration: z.optional(object),
  applyable: z.optional(z.boolean()),
  complete: z.optional(z.boolean()),
  errored: z.optional(z.boolean()),
});

/**
 * Finds the attributes of a type. The result is undefined if the schema of the type is not known, for example for a type of
 * another provider.
 */
export type AttributesOf = (
  change: Pick<ResourceChange, "provider" | "mode" | "type">,
) => Attributes | undefined;

/**
 * Reads a plan in the format of `terraform show -json PLAN`, from Terraform or OpenTofu, with any providers.
 *
 * @param name the name of the source in messages
 * @throws DiagnosticError `plan_json_invalid`
 */
export function readPlanJson(text: string, name: string, attributesOf: AttributesOf): Plan {
  const json = parsed(text, name);
  const changes = (json.resource_changes ?? []).map((one) => changeOf(one, attributesOf)).sort(byName);
  const drift = (json.resource_drift ?? []).map((one) => changeOf(one, attributesOf)).sort(byName);
  const outputs = Object.entries(json.output_changes ?? {}).map(([name, one]) => outputOf(name, one));
  const checks = (json.checks ?? []).map(checkOf);
  const diagnostics = [...checks.flatMap(failuresOf), ...(json.errored === true ? [notCompleted()] : [])];
  const isEmpty = !changes.some(isShown) && outputs.every((one) => one.action === "no-op");
  const configuration = (json.configuration ?? {}) as JsonObject;
  const hasChanges = json.applyable ?? !isEmpty;
  return {
    mode: modeOf(json.resource_changes, hasChanges && isEmpty && drift.length > 0),
    applicable: json.errored !== true,
    complete: json.complete ?? true,
    changes,
    drift,
    outputs,
    relevantAttributes: json.relevant_attributes ?? [],
    checks,
    diagnostics,
    unchecked: [],
    blocked: [],
    summary: summarize(changes),
    hasChanges,
    basis: {
      timestamp: json.timestamp ?? "",
      variables: Object.fromEntries(
        Object.entries(json.variables ?? {}).map(([name, { value = null }]) => [name, value as Json]),
      ),
      sensitiveVariables: [],
      priorState: json.prior_state as JsonObject | undefined,
      configuration,
      dependencies: dependenciesInJson(configuration),
    },
  };
}

function parsed(text: string, name: string): z.infer<typeof planFile> {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (problem) {
    return invalid(name, (problem as Error).message);
  }
  if (!isJsonObject(json as Json)) return invalid(name, "it is not a JSON object");
  if (!Object.hasOwn(json as JsonObject, "format_version")) return invalid(name, "it has no format_version");
  const { data, error: problem } = planFile.safeParse(json);
  if (data !== undefined) return data;
  const [issue] = problem.issues;
  const place = issue!.path.join(".");
  if (place === "format_version") return otherFormat(name, (json as JsonObject)["format_version"]);
  if (place === "planned_values") return invalid(name, "it has no planned values, and may be a state");
  return invalid(name, `\`${place}\` is invalid (${issue!.message})`);
}

const HOW_TO_SAVE =
  "save a plan with `terraform plan -out=FILE`, and pass the output of `terraform show -json FILE`.";

const otherFormat = (name: string, version: Json | undefined): never =>
  fail({
    code: "plan_json_invalid",
    summary: "Invalid JSON plan",
    detail: `The \`format_version\` of ${name} is ${JSON.stringify(version ?? null).slice(0, 40)}, but this release of Steward reads only versions 0.x and 1.x. Nothing was reported. Use a release of Steward that supports this version. If the file is not a plan, ${HOW_TO_SAVE}`,
  });

const invalid = (name: string, why: string): never =>
  fail({
    code: "plan_json_invalid",
    summary: "Invalid JSON plan",
    detail: `${name} is not a JSON plan: ${why}. Nothing was reported. To get a JSON plan, ${HOW_TO_SAVE}`,
  });

/**
 * Derives the mode of a plan, because the JSON does not contain the mode. A plan that is applicable, but has only drift and no
 * changes, is a refresh-only plan. In a destroy, a delete has no reason. In any other plan, a delete has a reason, such as a
 * missing declaration.
 */
function modeOf(changes: z.infer<typeof planFile>["resource_changes"], isRefreshOnly: boolean): Plan["mode"] {
  if (isRefreshOnly) return "refresh-only";
  const isDestroy = changes?.some(
    ({ mode, deposed, action_reason: reason, change }) =>
      mode === "managed" && change.actions === "delete" && deposed === undefined && !reason,
  );
  return isDestroy ? "destroy" : "normal";
}

const byName = (one: ResourceChange, other: ResourceChange): number =>
  compareNatural(objectName(one.address, one.deposed), objectName(other.address, other.deposed));

/**
 * Returns the import of a change. For an import by identity, Terraform writes no id, so the id comes from the values of the
 * object.
 */
function importingOf({
  importing,
  before,
}: z.infer<typeof resourceChange>["change"]): NonNullable<ResourceChange["importing"]> {
  const { id, identity } = importing!;
  return { id: id ?? String(before?.["id"] ?? ""), ...(identity && { identity }) };
}

/** Converts one entry of `resource_changes` or `resource_drift`. */
export function changeOf(one: z.infer<typeof resourceChange>, attributesOf: AttributesOf): ResourceChange {
  const { address, previous_address: previous, mode, type, name, index, provider_name: provider } = one;
  const { change, deposed } = one;
  const reason = ACTION_REASONS.find((known) => known === one.action_reason);
  return {
    address,
    ...(previous !== undefined && previous !== address && { previousAddress: previous }),
    mode,
    type,
    name,
    ...(index !== undefined && { indexKey: index }),
    provider,
    ...(deposed !== undefined && { deposed }),
    action: change.actions,
    ...(reason !== undefined && { reason }),
    ...(change.importing && { importing: importingOf(change) }),
    before: change.before ?? null,
    after: withUnknown(change.after, change.after_unknown),
    beforeSensitive: sensitivePaths(change.before_sensitive),
    afterSensitive: sensitivePaths(change.after_sensitive),
    replacePaths: (change.replace_paths ?? []).map(withoutKeys),
    attributes: attributesOf({ provider, mode, type }) ?? {},
  };
}

/** Returns the values after the change, with unknown values from the mask; null if the object is deleted. */
function withUnknown(after: ValueObject | null | undefined, mask: unknown): ValueObject | null {
  if (after === null || after === undefined) return mask === true ? {} : null;
  return applyUnknownMask(after, mask) as ValueObject;
}

/** Returns a value that is `UNKNOWN` where the mask is `true`. */
function applyUnknownMask(value: Value | undefined, mask: unknown): Value {
  if (mask === true) return UNKNOWN;
  if (Array.isArray(mask)) {
    const elements = Array.isArray(value) ? value : [];
    const length = Math.max(elements.length, mask.length);
    return Array.from({ length }, (_, at) => applyUnknownMask(elements[at], mask[at]));
  }
  if (!isJsonObject(mask as Json)) return value ?? null;
  const object = value !== undefined && isObject(value) ? value : {};
  const names = [...new Set([...Object.keys(object), ...Object.keys(mask as JsonObject)])];
  return Object.fromEntries(
    names.map((name) => [name, applyUnknownMask(own(object, name), own(mask as JsonObject, name))]),
  );
}

const own = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/**
 * Returns the sensitive paths of a mask. A path ends before the first index, so a list is sensitive as a whole. Indexes are left
 * out, because a list in JSON can be a set, and the elements of a set have no index.
 */
const sensitivePaths = (mask: unknown): AttributePath[] => [
  ...new Map(
    markedPaths(mask)
      .map((path) => path.slice(0, indexIn(path)))
      .map((path) => [JSON.stringify(path), path]),
  ).values(),
];

const indexIn = (path: AttributePath): number | undefined => {
  const at = path.findIndex((step) => typeof step === "number");
  return at < 0 ? undefined : at;
};

/**
 * Returns the start of a path, up to the first step that is neither a name nor an index. Such a step names an element of a set,
 * which a path can't express.
 */
function withoutKeys(path: readonly unknown[]): AttributePath {
  const end = path.findIndex((step) => typeof step !== "string" && typeof step !== "number");
  return (end < 0 ? path : path.slice(0, end)) as AttributePath;
}

function outputOf(name: string, one: z.infer<typeof outputChange>): OutputChange {
  const does = one.actions;
  return {
    name,
    action: does === "create" || does === "delete" || does === "no-op" ? does : "update",
    before: (one.before ?? null) as Value,
    after: applyUnknownMask((one.after ?? null) as Value, one.after_unknown),
    sensitive: markedPaths(one.before_sensitive).length + markedPaths(one.after_sensitive).length > 0,
  };
}

const notCompleted = (): Diagnostic =>
  error({
    code: "plan_errored",
    summary: "Plan with errors",
    detail:
      "The plan has an error, so it is incomplete and can't be applied. Fix the error that Terraform or OpenTofu reported, and plan again.",
  });
