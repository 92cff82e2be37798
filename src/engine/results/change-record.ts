import * as z from "zod/mini";
import type { AttributePath } from "../../diagnostics";
import { defined } from "../../json";
import { parseAddress, type ResourceAddress } from "../../language";
import type { Attributes, ValueObject } from "../../schema";
import type { JsonObject } from "../../state";
import { described, flag, optional, text } from "./described";
import { ACTION_REASONS, type Action, type ResourceChange } from "./plan";
import { decodeValue, type Encoding, encodeValues, isEncoded } from "./recorded-values";
import { shownImportId } from "./redaction";

// The record of a planned change. Saved plans, approval files and reports contain it, with the same names.

/** The actions in records. A replacement is one action, regardless of the order of its delete and its create. */
const RECORDED_ACTIONS = [
  "no-op",
  "create",
  "read",
  "update",
  "delete",
  "replace",
  "import",
  "move",
  "forget",
] as const;

/** The properties of a record that say what happens to which object, and why. */
export const changeFacts = {
  address: z.string(),
  deposed: text("The key of an object that is left over from a replacement that failed in part."),
  type: z.string(),
  action: described(
    "The planned action for the object. `import` and `move` change nothing else.",
    z.enum(RECORDED_ACTIONS),
  ),
  create_first: flag("A replacement creates the new object before it destroys the old object."),
  import_id: text("The id by which the live object is imported, whether the plan changes it or not."),
  previous_address: text("The address of the object before a move."),
  same_as: text("Another address that declares the same object, so that it is kept."),
  takes_over: text("The address whose existing object it adopts."),
  reason: optional(
    "The reason, with Terraform's codes such as `replace_because_tainted`.",
    z.enum(ACTION_REASONS),
  ),
  live_not_known: text("Plan: why the live values that creating a setting replaces could not be read."),
};

/** The properties of a record that say where the app declares the object. */
export const changeOrigin = {
  construct: text("Path of the construct that declares the object, if the app provides it."),
  file: text(
    "The app's file that declares the object, relative to the app's folder, if the construct recorded it.",
  ),
  line: optional("The line in the file, counted from 1.", z.number()),
};

const values = z.custom<JsonObject>(
  (json) => typeof json === "object" && json !== null && !Array.isArray(json) && isEncoded(json),
  "Invalid values",
);
const count = z.int().check(z.minimum(0));
const paths = z.optional(z.array(z.array(z.union([z.string(), count]))));

/** The values of an object before and after a change. `recorded-values.ts` encodes them. */
export const changeValues = {
  /** The source address of the provider. */
  provider: z.string(),
  /** The values before the change; null if the object did not exist. */
  before: z.nullable(values),
  after: z.nullable(values),
  /** The live values that the create of a setting replaces. */
  live: z.optional(values),
  before_identity: z.optional(values),
  after_identity: z.optional(values),
  /** The identity of an imported object, if the import does not name the object by its id. */
  import_identity: z.optional(values),
  /** Set if no `import` block names the imported object. The plan imports the object because the object blocks a create. */
  is_existing: z.optional(z.literal(true)),
  /** The paths of sensitive values, even if a value is null or unknown. Absent if there are none. */
  before_sensitive: paths,
  after_sensitive: paths,
  /** The attributes whose change requires a replacement. */
  replace_paths: paths,
};

const changeRecord = z.strictObject({ ...changeFacts, ...changeValues });
const originRecord = z.strictObject(changeOrigin);
type ChangeFacts = z.infer<z.ZodMiniObject<typeof changeFacts>>;
export type ChangeRecord = z.infer<typeof changeRecord>;
export type OriginRecord = z.infer<typeof originRecord>;

/** Returns the action of a record. An unchanged object has an action too if it is imported or moved. */
export function recordedAction({
  action,
  importing,
  previousAddress,
}: Pick<ResourceChange, "action" | "importing" | "previousAddress">): ChangeFacts["action"] {
  if (action === "delete-then-create" || action === "create-then-delete") return "replace";
  if (action !== "no-op") return action;
  if (importing !== undefined) return "import";
  return previousAddress === undefined ? "no-op" : "move";
}

/** Returns the action of the change that a record describes. */
function actionOf({ action, create_first: isCreateFirst }: ChangeFacts): Action {
  if (action === "replace") return isCreateFirst ? "create-then-delete" : "delete-then-create";
  return action === "import" || action === "move" ? "no-op" : action;
}

/**
 * Returns the facts about a change for its record.
 *
 * @param importId the id of an import, in which sensitive values are redacted
 */
export function factsOf(change: ResourceChange, importId = change.importing && shownImportId(change)) {
  const { address, deposed, type, action, previousAddress, sameAs, takesOver, reason, replaced } = change;
  return defined({
    address,
    deposed,
    type,
    action: recordedAction(change),
    create_first: action === "create-then-delete" ? (true as const) : undefined,
    import_id: importId,
    previous_address: previousAddress,
    same_as: sameAs,
    takes_over: takesOver,
    reason,
    live_not_known: replaced?.why,
  }) satisfies ChangeFacts;
}

/** Returns where an object is declared. A position such as `main.ts:26` is split into file and line. */
export const originOf = ({
  construct,
  position,
}: {
  readonly construct?: string | undefined;
  readonly position?: string | undefined;
}): OriginRecord => {
  const [, file, line] = /^(.+):(\d+)$/s.exec(position ?? "") ?? [];
  return defined({ construct, file, line: line === undefined ? undefined : Number(line) });
};

/**
 * Returns the record of a change.
 *
 * @param hidden returns the paths whose values the file must not contain; by default, these are the sensitive paths
 * @param importId the id of an import, in which sensitive values are redacted
 */
export function recordOf(
  change: ResourceChange,
  encoding: Encoding,
  {
    hidden = (_values, sensitive) => sensitive,
    importId,
  }: {
    readonly hidden?: (values: ValueObject, sensitive: readonly AttributePath[]) => readonly AttributePath[];
    readonly importId?: string | undefined;
  } = {},
): ChangeRecord {
  const { provider, importing, replaced, attributes, beforeSensitive, afterSensitive, replacePaths } = change;
  const encode = (values: ValueObject | undefined, sensitive: readonly AttributePath[] = []) =>
    values && encodeValues(values, hidden(values, sensitive), encoding, attributes);
  const present = (list: readonly AttributePath[]) =>
    list.length === 0 ? undefined : list.map((path) => [...path]);
  return defined({
    ...factsOf(change, importId),
    provider,
    before: encode(change.before ?? undefined, beforeSensitive) ?? null,
    after: encode(change.after ?? undefined, afterSensitive) ?? null,
    live: encode(replaced?.live, afterSensitive),
    // The parts of an identity have the names of attributes, so the same sensitive paths apply.
    before_identity: encode(change.beforeIdentity, beforeSensitive),
    after_identity: encode(change.afterIdentity, afterSensitive),
    import_identity: encode(importing?.identity, afterSensitive),
    is_existing: importing?.existing,
    before_sensitive: present(beforeSensitive),
    after_sensitive: present(afterSensitive),
    replace_paths: present(replacePaths),
  });
}

/** Returns the object that a record names. Undefined if the address and the type of the record contradict each other. */
export function objectOf({ address, type }: Pick<ChangeRecord, "address" | "type">) {
  const parsed = parseAddress(address) as Partial<ResourceAddress> | undefined;
  if (parsed?.type !== type) return undefined;
  const { mode, name, indexKey } = parsed as ResourceAddress;
  return { mode, type, name, ...(indexKey !== undefined && { indexKey }) };
}

/**
 * Converts a record to a change. `objectOf` must accept the record. Each sensitive value becomes a placeholder text, and equal
 * values have the same text.
 */
export function changeOf(
  record: ChangeRecord & OriginRecord,
  attributesOf: (object: Pick<ResourceChange, "mode" | "type">) => Attributes,
): ResourceChange {
  const { address, deposed, provider, reason, construct, file, line, live, live_not_known: why } = record;
  const object = objectOf(record)!;
  const { import_id: id, import_identity: identity, is_existing: existing } = record;
  const decode = (json: JsonObject | null | undefined): ValueObject | undefined =>
    json === null || json === undefined ? undefined : (decodeValue(json) as ValueObject);
  return defined({
    ...object,
    address,
    deposed,
    provider,
    previousAddress: record.previous_address,
    sameAs: record.same_as,
    takesOver: record.takes_over,
    importing: id === undefined ? undefined : defined({ id, identity: decode(identity), existing }),
    action: actionOf(record),
    reason,
    before: decode(record.before) ?? null,
    after: decode(record.after) ?? null,
    beforeIdentity: decode(record.before_identity),
    afterIdentity: decode(record.after_identity),
    beforeSensitive: record.before_sensitive ?? [],
    afterSensitive: record.after_sensitive ?? [],
    replacePaths: record.replace_paths ?? [],
    replaced: live === undefined && why === undefined ? undefined : defined({ live: decode(live), why }),
    attributes: attributesOf(object),
    construct,
    position: file === undefined ? undefined : `${file}:${line}`,
  }) as ResourceChange;
}
