import { type Attributes, isPlanned, type Plan, type ResourceChange } from "../../engine";
import { isOnlyRevert } from "../difference";
import { describe, type PlanPlace } from "./changes";
import { describeDifference, differencesOf } from "./differences";
import { type ApprovedChange, nameOfApproved, verbOf } from "./file";
import { piecesOf } from "./pieces";

/** Changes that people approved together, in a file or in one merge request. */
export interface ApprovedPart {
  /** The name of the merge request, such as `!7`. */
  readonly request?: string;
  readonly changes: readonly ApprovedChange[];
  /** Whether later merge requests may have changed the same objects again. */
  readonly mayBeOvertaken?: boolean;
}

/** An approved change, and the merge request that holds it. */
interface Approved {
  readonly part: ApprovedPart;
  readonly change: ApprovedChange;
}

/** A comparison of a plan with the approved changes. */
export interface Review {
  /** Planned changes without approval, each with the difference. */
  readonly unapproved: readonly string[];
  /** The addresses of unapproved changes that only revert a manual change. */
  readonly reverts: readonly string[];
  /** Approved changes that are neither planned nor live in their approved form. */
  readonly missing: readonly ApprovedChange[];
  /** Approved changes that later merge requests changed again. */
  readonly overtaken: readonly Approved[];
  /** Approved deletes of objects that the state does not contain. A delete is complete if its object is not live either. */
  readonly toLookUp: readonly ApprovedChange[];
  /** The merge requests that hold each planned change, by its name. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares the plan of a stack with the approved changes. Each attribute that an update writes, and each element of a set,
 * belongs to an approved change that writes the same. Any other change belongs to an approved change as a whole.
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
  /** The approved changes that hold it; empty without approval. */
  readonly holding: readonly Approved[];
}

/** Returns the approved changes that together form a planned change; undefined if a part of it is not approved. */
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
 * Returns true if an approved change may be a part of a planned one. An update and a move or import may be approved apart from each
 * other. Two merge requests may create one object: the later apply updates it.
 */
function isOfSameObject(planned: ApprovedChange, { part, change }: Approved): boolean {
  const { service, action, id, in: place } = change;
  if (planned.service !== service || planned.in !== place) return false;
  if (id !== null && planned.id !== null && id !== planned.id) return false;
  if (planned.action === "create") return action === "create";
  const isLater = action === "create" && part.request !== undefined;
  return planned.action === "update" && (action === "update" || isUnchanged(action) || isLater);
}

/** Whether a move or an import keeps all values. */
const isUnchanged = (action: ApprovedChange["action"]): boolean => action === "move" || action === "import";

/** Whether the object already has all approved values, apart from approved reverts. */
const isAsApproved = (
  planned: ApprovedChange,
  candidates: readonly Approved[],
  attributes: Attributes,
): boolean =>
  candidates.every(
    ({ change }) => change.is_revert === true || isFulfilled(change, planned.before ?? {}, attributes),
  );

/** Names the approved change that comes closest. */
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

/** Sorts the approved changes that the plan does not have as a whole. */
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
    // A difference from the only approved change is reported as such.
    if (now !== undefined && now.holding.length === 0 && part.mayBeOvertaken !== true) continue;
    // A partial plan does not show which objects are gone.
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

/** Whether each part of an approved change is planned, or is live already. */
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

/** The name of all projects in lists of gains. */
const EVERYBODY = "every project";

/** Lists people and projects that gain access which no approved change of the same project or group shows. */
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
