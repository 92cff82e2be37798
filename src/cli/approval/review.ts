import { type Attributes, isPlanned, type Plan, type ResourceChange } from "../../engine";
import { isOnlyRevert } from "../difference";
import { describe, type PlanPlace } from "./changes";
import { describeDifference, differencesOf } from "./differences";
import { type ApprovedChange, nameOfApproved, verbOf } from "./file";
import { piecesOf } from "./pieces";

/** The changes that people approved with one file or one merge request. */
export interface ApprovedPart {
  /** The name of the merge request, such as `!7`. */
  readonly request?: string;
  readonly changes: readonly ApprovedChange[];
  /** Whether it is possible that later merge requests changed the same objects again. */
  readonly mayBeOvertaken?: boolean;
}

/** An approved change, and the file or merge request that contains it. */
interface Approved {
  readonly part: ApprovedPart;
  readonly change: ApprovedChange;
}

/** The result of a comparison between a plan and the approved changes. */
export interface Review {
  /** One line for each difference between a planned change and the closest approved change. */
  readonly unapproved: readonly string[];
  /** The addresses of unapproved changes that only revert a manual change. */
  readonly reverts: readonly string[];
  /** Approved changes that the plan does not contain, although the service does not have the approved values. */
  readonly missing: readonly ApprovedChange[];
  /** Approved changes that are out of date, because later merge requests changed the same objects. */
  readonly overtaken: readonly Approved[];
  /**
   * Approved deletes of objects that the state no longer contains. A delete is complete if the object is also missing on the
   * service.
   */
  readonly toLookUp: readonly ApprovedChange[];
  /** The merge requests that approve each planned change, by the name of the change. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares the plan of a stack with the approved changes. An update or a create may be approved in pieces. Then each changed
 * attribute, and each changed element of a set, needs an approved change with the same effect. A change of any other kind must
 * be approved as a whole.
 */
export function review(plan: Plan, parts: readonly ApprovedPart[], place: PlanPlace): Review {
  const stack = place.stack ?? null;
  const approved = parts.flatMap((part) =>
    part.changes.filter((change) => change.stack === stack).map((change) => ({ part, change })),
  );
  const drift = new Map(plan.drift.map((change) => [change.address, change]));
  const result = {
    unapproved: [] as string[],
    reverts: [] as string[],
    holders: new Map<string, string[]>(),
  };
  const planned = new Map<string, Planned>();
  for (const change of plan.changes.filter(isPlanned)) {
    const described = describe(change, place);
    const name = nameOfApproved(described);
    const drifted = drift.get(change.address);
    const isRevert = drifted !== undefined && isOnlyRevert(change, drifted);
    const candidates = approved.filter(
      (one) => nameOfApproved(one.change) === name && (isRevert || one.change.is_revert !== true),
    );
    const holding = holdersOf(described, candidates, change.attributes);
    planned.set(name, { described, attributes: change.attributes, holding: holding ?? [] });
    if (holding !== undefined) {
      const requests = holding.flatMap(({ part }) => (part.request === undefined ? [] : [part.request]));
      if (requests.length > 0) result.holders.set(name, requests);
    } else if (isRevert && isAsApproved(described, candidates, change.attributes))
      result.reverts.push(change.address);
    else result.unapproved.push(...describeUnapproved(name, described, candidates, change.attributes));
  }
  return { ...result, ...unplanned(plan, approved, planned, place) };
}

interface Planned {
  readonly described: ApprovedChange;
  readonly attributes: Attributes;
  /** The approved changes that contain this planned change or pieces of this change; empty if the change is not approved. */
  readonly holding: readonly Approved[];
}

/**
 * Returns the approved changes that contain all parts of a planned change; undefined if a part of the planned change is not
 * approved.
 */
function holdersOf(
  planned: ApprovedChange,
  candidates: readonly Approved[],
  attributes: Attributes,
): readonly Approved[] | undefined {
  const whole = candidates.filter(({ change }) => differencesOf(planned, change, attributes).length === 0);
  if (whole.length > 0) return whole;
  const sharing = candidates.filter((one) => isOfSameObject(planned, one));
  const pieces = sharing.map((one) => ({
    one,
    keys: new Set(piecesOf(one.change, attributes).map(({ key }) => key)),
  }));
  const needed = piecesOf(planned, attributes).map(({ key }) => key);
  if (!needed.every((key) => pieces.some(({ keys }) => keys.has(key)))) return undefined;
  return pieces.filter(({ keys }) => needed.some((key) => keys.has(key))).map(({ one }) => one);
}

/**
 * Returns true if an approved change can be a part of a planned change. For example, one merge request may approve an update of
 * an object, and another merge request may approve the object's move or import. Two requests may approve the same create: the
 * first apply creates the object, and the second apply updates it.
 */
function isOfSameObject(planned: ApprovedChange, { part, change }: Approved): boolean {
  const { service, action, id, in: place } = change;
  if (planned.service !== service || planned.in !== place) return false;
  if (id !== null && planned.id !== null && id !== planned.id) return false;
  if (planned.action === "create") return action === "create";
  const isLater = action === "create" && part.request !== undefined;
  return planned.action === "update" && (action === "update" || isUnchanged(action) || isLater);
}

/** Returns true for a move or an import, which keep all values of the object. */
const isUnchanged = (action: ApprovedChange["action"]): boolean => action === "move" || action === "import";

/** Returns true if the object already has all approved values. Ignores approved changes that only revert a manual change. */
const isAsApproved = (
  planned: ApprovedChange,
  candidates: readonly Approved[],
  attributes: Attributes,
): boolean =>
  candidates.every(
    ({ change }) => change.is_revert === true || isFulfilled(change, planned.before ?? {}, attributes),
  );

/** Returns the differences between a planned change and the most similar approved change. */
function describeUnapproved(
  name: string,
  planned: ApprovedChange,
  candidates: readonly Approved[],
  attributes: Attributes,
): string[] {
  const all = candidates.map(({ change }) => differencesOf(planned, change, attributes));
  const [closest = []] = all.sort((one, other) => one.length - other.length);
  return describeDifference(name, planned, closest);
}

/**
 * Divides the approved changes that the plan does not contain into missing changes, overtaken changes, and deletes to look up.
 */
function unplanned(
  plan: Plan,
  approved: readonly Approved[],
  planned: ReadonlyMap<string, Planned>,
  place: PlanPlace,
): Pick<Review, "missing" | "overtaken" | "toLookUp"> {
  const unchanged = new Map(plan.changes.filter((one) => !isPlanned(one)).map((one) => [one.address, one]));
  const drift = new Map(plan.drift.map((change) => [change.address, change]));
  const missing: ApprovedChange[] = [];
  const overtaken: Approved[] = [];
  const toLookUp: ApprovedChange[] = [];
  for (const one of approved) {
    const { part, change } = one;
    const now = planned.get(nameOfApproved(change));
    const live = unchanged.get(change.address);
    // `unapproved` already reports how the planned change differs from this approved change.
    if (now !== undefined && now.holding.length === 0 && part.mayBeOvertaken !== true) continue;
    // Only a complete plan shows that an object is gone.
    const isGone = change.after === null && live === undefined && now === undefined && plan.complete;
    if (isGone && drift.get(change.address)?.action === "delete") continue;
    if (isGone && (change.stays_on_service === true || change.action === "forget")) continue;
    if (isGone && change.id !== null) toLookUp.push(change);
    else if (!isDone(change, now, live, place) && change.is_revert !== true)
      if (part.mayBeOvertaken === true && plan.complete) overtaken.push(one);
      else missing.push(change);
  }
  return { missing, overtaken, toLookUp };
}

/** Returns true if each part of an approved change is in the plan, or already live. */
function isDone(
  change: ApprovedChange,
  now: Planned | undefined,
  live: ResourceChange | undefined,
  place: PlanPlace,
): boolean {
  if (now?.holding.some((one) => one.change === change)) {
    const own = new Set(piecesOf(now.described, now.attributes).map(({ key }) => key));
    if (differencesOf(now.described, change, now.attributes).length === 0) return true;
    return isFulfilled(change, now.described.before ?? {}, now.attributes, own);
  }
  if (change.after === null) return false;
  if (now !== undefined) return isFulfilled(change, now.described.before ?? {}, now.attributes);
  return live !== undefined && isFulfilled(change, describe(live, place).after ?? {}, live.attributes);
}

const isFulfilled = (
  change: ApprovedChange,
  values: NonNullable<ApprovedChange["after"]>,
  attributes: Attributes,
  planned: ReadonlySet<string> = new Set(),
): boolean => piecesOf(change, attributes).every((piece) => planned.has(piece.key) || piece.isIn(values));

/** Returns one line about an approved change that the plan does not contain. */
export const notPlanned = (change: ApprovedChange): string =>
  `${nameOfApproved(change)}: ${verbOf(change)} was approved, but is not planned, and the service does not have it`;

/** The name that represents all projects in a list of people and projects that gain access. */
const EVERYBODY = "every project";

/** Returns a line for each gain of access to a project or group that no approved change of this project or group shows. */
export function unshownGains(planned: readonly ApprovedChange[], parts: readonly ApprovedPart[]): string[] {
  const keyOf = ({ service, in: place }: ApprovedChange, what: string) =>
    JSON.stringify([service, place, what]);
  const shown = new Map<string, Set<string>>();
  for (const change of parts.flatMap(({ changes }) => changes))
    for (const { what, who } of change.gains ?? []) {
      const key = keyOf(change, what);
      shown.set(key, new Set([...(shown.get(key) ?? []), ...who]));
    }
  const found = planned.flatMap((change) =>
    (change.gains ?? []).flatMap(({ what, who }) => {
      const known = shown.get(keyOf(change, what));
      const others = known?.has(EVERYBODY) ? [] : who.filter((name) => known?.has(name) !== true);
      return others.length === 0 ? [] : [`${change.in}: ${others.join(", ")} would gain: ${what}`];
    }),
  );
  return [...new Set(found)];
}
