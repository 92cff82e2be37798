import { objectName } from "../../language";
import { attributeEntries, isWhollyKnown, type Value } from "../../schema";
import type { ChangeSummary, Plan, RehearsedStep, ResourceChange } from "./plan";

/** Returns the changes of a plan. If the plan separates no-ops from changes, the result contains only changes. */
export const changingOf = (plan: Pick<Plan, "changes" | "changing">): readonly ResourceChange[] =>
  plan.changing ?? plan.changes;

/** Counts the changes by their actions. */
export function summarize(changes: readonly ResourceChange[]): ChangeSummary {
  const summary = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
  for (const { action, importing, previousAddress } of changes) {
    const isReplaced = action === "delete-then-create" || action === "create-then-delete";
    if (isReplaced || action === "create") summary.add++;
    if (isReplaced || action === "delete") summary.remove++;
    if (action === "update") summary.change++;
    if (importing !== undefined) summary.import++;
    if (previousAddress !== undefined) summary.move++;
  }
  return summary;
}

/** The DELETE requests of one planned change. */
export interface CountedDeletes {
  readonly address: string;
  readonly count: number;
}

type Counted = Pick<Plan, "changes" | "changing" | "requests">;

/**
 * Counts, for each address, the objects and set entries that a plan deletes. If the plan contains the requests of its apply,
 * the function counts the DELETE requests. Otherwise, the function compares the planned values. An object that is released
 * without a request counts too.
 */
export function countDeletes(plan: Counted): CountedDeletes[] {
  const { requests = [] } = plan;
  const rehearsed = new Map(requests.map((one) => [objectName(one.address, one.deposed), one]));
  return changingOf(plan).flatMap((change) => {
    const { address, deposed } = change;
    const count = deletesOf(change, rehearsed.get(objectName(address, deposed)));
    return count === 0 ? [] : [{ address, count }];
  });
}

function deletesOf(change: ResourceChange, rehearsed: RehearsedStep | undefined): number {
  const { mode, action } = change;
  if (mode !== "managed" || action === "no-op" || action === "read" || action === "forget") return 0;
  const sent = rehearsed?.requests.filter(({ method }) => method === "DELETE").length ?? 0;
  const ended = action === "create" || action === "update" ? 0 : 1;
  const isKnown = rehearsed !== undefined && rehearsed.why === undefined;
  return Math.max(sent, ended, isKnown ? 0 : removedEntries(change));
}

/**
 * Counts the entries that a change removes from whole sets. A planned entry with unknown values equals no live entry. A
 * live entry can therefore count as removed although the entry stays.
 */
function removedEntries({ action, attributes, before, after, replaced }: ResourceChange): number {
  const present = before ?? replaced?.live ?? {};
  const isUpdate = action === "update" || action === "create";
  let count = 0;
  for (const [name, { presence, type }] of attributeEntries(attributes)) {
    if (presence !== "managed" || type.kind !== "set") continue;
    const stays = new Set(isUpdate ? elementsOf(after?.[name]) : []);
    const isGivenUp = isUpdate && (after?.[name] ?? null) === null;
    if (!isGivenUp) count += elementsOf(present[name]).filter((one) => !stays.has(one)).length;
  }
  return count;
}

const elementsOf = (value: Value | undefined): readonly Value[] =>
  Array.isArray(value) ? value.filter(isWhollyKnown) : [];
