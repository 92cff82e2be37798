import { createHash, scryptSync } from "node:crypto";
import type { AttributePath } from "../../diagnostics";
import {
  type AccessPlace,
  type Attributes,
  type AttributeType,
  canonicalJson,
  elementType,
  groupBy,
  hiddenPaths,
  isObject,
  isPlanned,
  isUnknown,
  type Plan,
  type ResourceChange,
  sameValue,
  semanticKey,
  shownId,
  shownImportId,
  type Value,
  type ValueObject,
} from "../../engine";
import { defined } from "../../json";
import { SensitiveTexts } from "../../text";
import { describePlace } from "../document/access";
import { notCountedText } from "../document/access-text";
import { containerOf, isKeptOnService } from "../printing/own-provider";
import { type ApprovedChange, nameOfApproved, verbOf } from "./file";

/** Where a plan would be applied. */
export interface PlanPlace {
  readonly stack: string | undefined;
  /** The address of the service that holds an object. */
  serviceOf(change: ResourceChange): string;
}

/** The changes of a plan as a file of approvals has them. */
export function changesToApprove({ changes, access }: Plan, place: PlanPlace): ApprovedChange[] {
  const secrets = secretsOf(changes);
  const redact = (text: string) => secrets.redactText(text);
  const effects = effectsByContainer(access?.places ?? [], redact);
  const uncounted = groupBy(access?.notCounted ?? [], ({ what }) => what);
  return changes.filter(isPlanned).map((change) => {
    const described = describe(change, place, effects);
    const own = uncounted.get(change.address) ?? [];
    return { ...described, access: [...described.access, ...own.map(notCountedText).map(redact)] };
  });
}

/** One object of a plan, whether it changes or not. */
function describe(
  change: ResourceChange,
  { stack, serviceOf }: PlanPlace,
  effects: ReadonlyMap<string, readonly string[]> = new Map(),
): ApprovedChange {
  const { address, deposed, type, action, previousAddress, importing, replaced } = change;
  const service = serviceOf(change);
  const container = containerOf(change);
  const key = container && containerKey(container);
  const encode = (values: ValueObject | null, sensitive: readonly AttributePath[]) =>
    values &&
    encodeAll(
      change.attributes,
      values,
      hiddenPaths(values, sensitive),
      (name) => `${service}\n${address}\n${name}`,
    );
  const id =
    shownId(change.before, change.beforeSensitive) ?? shownId(change.after, change.afterSensitive) ?? null;
  return defined({
    service,
    stack: stack ?? null,
    address,
    deposed,
    type,
    in: key,
    id,
    action,
    previous_address: previousAddress,
    import_id: importing && shownImportId(change),
    stays_on_service: isKeptOnService(change) ? (true as const) : undefined,
    before: encode(change.before, change.beforeSensitive),
    after: encode(change.after, change.afterSensitive),
    replaces: replaced?.live && encode(replaced.live, change.afterSensitive),
    access: key === undefined ? [] : effectsOn(`${key}\n${nameOf(change) ?? ""}`, service, effects),
  });
}

const containerKey = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind} ${name}`;

/** The name of what has one in its project, such as an environment; access to all else is access to the project. */
const nameOf = ({ before, after }: ResourceChange): Value | undefined => (after ?? before)?.["name"];

const effectKey = (place: string, service: string | undefined): string => `${service ?? ""}\n${place}`;

/** The effects in a place of a service. The report of a plan in JSON is about one service, and does not name it. */
const effectsOn = (place: string, service: string, effects: ReadonlyMap<string, readonly string[]>) => [
  ...(effects.get(effectKey(place, service)) ?? effects.get(effectKey(place, undefined)) ?? []),
];

/** What changes for people, by project or group, and there by the object that it changes for. */
function effectsByContainer(places: readonly AccessPlace[], redact: (text: string) => string) {
  const found = new Map<string, string[]>();
  for (const place of places) {
    const { text, not_counted: notCounted } = describePlace(place);
    const key = effectKey(`${containerKey(place.container)}\n${place.target?.name ?? ""}`, place.service);
    found.set(key, [...(found.get(key) ?? []), ...[text, ...notCounted.map(notCountedText)].map(redact)]);
  }
  return found;
}

/** The sensitive values of all changes: names of people can be some. */
function secretsOf(changes: readonly ResourceChange[]): SensitiveTexts {
  const secrets = new SensitiveTexts();
  for (const { before, beforeSensitive, after, afterSensitive } of changes)
    for (const [values, paths] of [[before, beforeSensitive] as const, [after, afterSensitive] as const])
      for (const path of paths)
        secrets.add(path.reduce<unknown>((at, step) => Object(at)[step], values ?? undefined));
  return secrets;
}

/**
 * The values as a file has them, the same for each plan of the same change: elements of sets in one order, `{"$unknown": true}`
 * for what is known after apply, and a hash in place of a sensitive value.
 */
const encodeAll = (
  attributes: Attributes,
  values: ValueObject,
  hidden: readonly AttributePath[],
  saltOf: (name: string) => string,
): ValueObject =>
  Object.fromEntries(
    Object.keys(values)
      .sort()
      .map((name) => [
        name,
        encode(values[name]!, attributes[name]?.type, below(hidden, name), saltOf(name)),
      ]),
  );

function encode(
  value: Value,
  type: AttributeType | undefined,
  hidden: readonly AttributePath[],
  salt: string,
): Value {
  if (value === null) return null;
  if (isUnknown(value)) return { $unknown: true };
  if (hidden.some((path) => path.length === 0)) return { $sensitive: hashOf(value, salt) };
  if (Array.isArray(value)) {
    const elements = value.map((one: Value, at) => encode(one, elementType(type), below(hidden, at), salt));
    if (type?.kind !== "set") return elements;
    const keyed = elements.map((one) => [semanticKey(one, elementType(type)), one] as const);
    return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
  }
  if (!isObject(value)) return value;
  const nested = type !== undefined && "nested" in type ? type.nested : {};
  return encodeAll(nested, value, hidden, () => salt);
}

const below = (paths: readonly AttributePath[], step: string | number): readonly AttributePath[] =>
  paths.filter(([first]) => first === step).map(([, ...rest]) => rest);

/**
 * The salt follows from the place, so that a later plan of the same value has the same hash. Scrypt makes guessing costly.
 */
function hashOf(value: Value, place: string): string {
  const salt = createHash("sha256").update(place).digest();
  return scryptSync(canonicalJson(value), salt, 32).toString("base64");
}

/**
 * Compares a plan with the approved changes of its stack.
 *
 * @returns `unapproved`: what the plan would do and nobody approved, each with the difference; `reverts`: the addresses of changes
 * that nobody approved and that only revert a change by hand; `missing`: what was approved, is not planned, and is not live as it
 * was approved; `toLookUp`: approved deletes of objects that the state does not hold, done if they are not live either
 */
export function review(plan: Plan, approved: readonly ApprovedChange[], place: PlanPlace) {
  const left = new Map(approved.map((change) => [nameOfApproved(change), change]));
  const drift = new Map(plan.drift.map((change) => [change.address, change]));
  const unapproved: string[] = [];
  const reverts: string[] = [];
  for (const change of plan.changes.filter(isPlanned)) {
    const planned = describe(change, place);
    const name = nameOfApproved(planned);
    const expected = left.get(name);
    left.delete(name);
    const differences = expected === undefined ? [] : differencesOf(planned, expected, change.attributes);
    if (expected !== undefined && differences.length === 0) continue;
    if (expected === undefined && isOnlyRevert(change, drift.get(change.address)))
      reverts.push(change.address);
    else unapproved.push(...describeDifference(name, planned, differences));
  }
  const unchanged = new Map(plan.changes.filter((one) => !isPlanned(one)).map((one) => [one.address, one]));
  const missing: ApprovedChange[] = [];
  const toLookUp: ApprovedChange[] = [];
  for (const change of left.values()) {
    const live = unchanged.get(change.address);
    // A plan that leaves anything out does not tell what is gone.
    const isGone = change.after === null && live === undefined && plan.complete;
    if (isGone && drift.get(change.address)?.action === "delete") continue;
    if (isGone && (change.stays_on_service === true || change.action === "forget")) continue;
    if (isGone && change.id !== null) toLookUp.push(change);
    else if (live === undefined || !hasResult(change, describe(live, place), live.attributes))
      missing.push(change);
  }
  return { unapproved, reverts, missing, toLookUp };
}

/** The addresses of changes that only revert a change by hand. */
export function revertsOf({ changes, drift }: Plan): string[] {
  const drifted = new Map(drift.map((change) => [change.address, change]));
  return changes
    .filter((change) => isPlanned(change) && isOnlyRevert(change, drifted.get(change.address)))
    .map(({ address }) => address);
}

/** Whether the declaration is what was applied, and only what is live differs. */
function isOnlyRevert(
  { action, after, attributes, importing, previousAddress }: ResourceChange,
  drift?: ResourceChange,
) {
  if (drift?.before == null || after === null || importing !== undefined || previousAddress !== undefined)
    return false;
  if (action !== "update" && action !== "create") return false;
  return Object.entries(after).every(
    ([name, value]) =>
      isUnknown(value) || sameValue(value, drift.before![name] ?? null, attributes[name]?.type),
  );
}

const WHOLE = ["service", "action", "previous_address", "import_id"] as const;

/**
 * What differs between a planned change and the approved one. Of an update only what it writes counts: attributes that are as
 * approved already, and those that neither of them changes, may have any value before.
 */
function differencesOf(planned: ApprovedChange, approved: ApprovedChange, attributes: Attributes): string[] {
  const shown = (change: ApprovedChange, name: (typeof WHOLE)[number]) =>
    name === "action" ? verbOf(change) : (change[name] ?? null);
  /** The approval expects a new object. Any value that the object has now differs, so only its existence matters. */
  const existsNow = approved.action === "create" && planned.action !== "create" && planned.before !== null;
  const found = WHOLE.filter((name) => planned[name] !== approved[name]).map((name) =>
    changeOf(name, shown(approved, name), shown(planned, name)),
  );
  if (existsNow) found.push("the object exists now");
  else if (approved.id !== null && planned.id !== null && planned.id !== approved.id)
    found.push(changeOf("id", approved.id, planned.id));
  const isSame = (one: Value, other: Value, name: string) => sameValue(one, other, attributes[name]?.type);
  const isUpdate = planned.action === "update" && approved.action === "update";
  const names = new Set(
    [planned, approved].flatMap(({ before, after, replaces }) =>
      [before, after, replaces].flatMap((values) => Object.keys(values ?? {})),
    ),
  );
  for (const name of names) {
    const value = ({ [name]: one = null }: Readonly<Record<string, Value>>) => one;
    const [then, now] = [approved, planned].map(({ before, after, replaces }) => ({
      before: value(before ?? {}),
      after: value(after ?? {}),
      replaces: value(replaces ?? {}),
    })) as [Sides, Sides];
    const isWritten = !isSame(now.before, now.after, name) || !isSame(then.before, then.after, name);
    if (isUpdate && !isWritten) continue;
    if (existsNow && (isUnknownText(then.after) || isSame(now.after, then.after, name))) continue;
    if (!isSame(now.after, then.after, name)) found.push(changeOf(name, then.after, now.after));
    else if (!isSame(now.before, then.before, name) && !(isUpdate && isSame(now.before, then.after, name)))
      found.push(changeOf(`${name} before`, then.before, now.before));
    else if (!isSame(now.replaces, then.replaces, name) && !isSame(now.replaces, then.after, name))
      found.push(changeOf(`${name} live`, then.replaces, now.replaces));
  }
  return found;
}

type Sides = Readonly<Record<"before" | "after" | "replaces", Value>>;

/** Whether an object that the plan leaves as it is has what was approved. Unknown values were not approved as anything. */
function hasResult({ after, before, action }: ApprovedChange, live: ApprovedChange, attributes: Attributes) {
  if (after === null) return false;
  return Object.entries(after).every(([name, value]) => {
    const type = attributes[name]?.type;
    const isWritten = action !== "update" || !sameValue(before?.[name] ?? null, value, type);
    return !isWritten || isUnknownText(value) || sameValue(value, live.after?.[name] ?? null, type);
  });
}

const isUnknownText = (value: Value): boolean =>
  typeof value === "object" && value !== null && "$unknown" in (value as object);

const changeOf = (name: string, approved: Value, planned: Value): string =>
  `${name}: approved ${shortly(approved)}, planned ${shortly(planned)}`;

/** Longer values are in the plan. */
const MAX_LENGTH = 200;

function shortly(value: Value): string {
  if (value === null) return "none";
  if (isUnknownText(value)) return "(known after apply)";
  const text = JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one !== "object" || one === null) return one;
    if ("$sensitive" in one) return "(sensitive value)";
    return "$unknown" in one ? "(known after apply)" : one;
  });
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** One line for each difference. */
const describeDifference = (
  name: string,
  planned: ApprovedChange,
  differences: readonly string[],
): string[] =>
  differences.length === 0
    ? [`${name}: ${verbOf(planned)} is planned, but not approved`]
    : differences.map((one) => `${name}, ${one}`);
