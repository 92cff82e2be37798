import {
  type Attributes,
  isPlanned,
  isUnknown,
  type Plan,
  type ResourceChange,
  sameValue,
  type Value,
} from "../../engine";
import { describe, type PlanPlace } from "./changes";
import { type ApprovedChange, nameOfApproved, verbOf } from "./file";

/** How a plan compares with the changes that were approved for its stack. */
export interface Review {
  /** What the plan would do and nobody approved, each with the difference. */
  readonly unapproved: readonly string[];
  /** The addresses of changes that nobody approved and that only revert a change by hand. */
  readonly reverts: readonly string[];
  /** What was approved, is not planned, and is not live as it was approved. */
  readonly missing: readonly ApprovedChange[];
  /** Approved deletes of objects that the state does not hold: done if they are not live either. */
  readonly toLookUp: readonly ApprovedChange[];
}

/** Compares a plan with the approved changes of its stack. */
export function review(plan: Plan, approved: readonly ApprovedChange[], place: PlanPlace): Review {
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
    else unapproved.push(describeDifference(name, planned, differences));
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
  const found = WHOLE.filter((name) => planned[name] !== approved[name]).map((name) =>
    changeOf(name, shown(approved, name), shown(planned, name)),
  );
  if (approved.id !== null && planned.id !== null && planned.id !== approved.id)
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
function hasResult(
  { after, before, action }: ApprovedChange,
  live: ApprovedChange,
  attributes: Attributes,
): boolean {
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
  const text = JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && "$sensitive" in one ? "(sensitive value)" : one,
  );
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

const describeDifference = (name: string, planned: ApprovedChange, differences: readonly string[]): string =>
  differences.length === 0
    ? `${name}: ${verbOf(planned)}, which is not in the approval`
    : `${name}: ${differences.join("; ")}`;
