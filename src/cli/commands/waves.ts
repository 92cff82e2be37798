import { type Diagnostic, DiagnosticError, error, hasErrors } from "../../diagnostics";
import {
  type ApplyResult,
  canonicalJson,
  type ExecutablePlan,
  isObject,
  isPlanned,
  isUnknown,
  isWhollyKnown,
  type OpenStack,
  orderContainers,
  type ResourceChange,
  type Value,
} from "../../engine";
import { allUpTo, compareNatural, counted, namesUpTo } from "../../text";
import type { ApplyArguments } from "../arguments/plan";
import { containerOf } from "../objects/object-facts";
import type { RunView } from "../views/run-view";

/** The maximum number of projects that the line of a wave names. */
const SHOWN = 3;

/**
 * Applies an approved plan wave by wave. Before each wave, Steward plans the projects and groups of the wave again, so that
 * it sees changes on the service. It refuses changes that are not approved. A wave comes after the waves on whose changes it
 * depends. Objects without a project or group come last.
 *
 * @returns the combined results of all waves. After a wave with an error, Steward does not begin another wave. Steward also
 * stops before a wave with a change that is not in the approved plan (`wave_differs`).
 * @throws DiagnosticError if the first wave has a change that is not approved, or if Steward finds no valid order of the waves
 * (`wave_order`)
 */
export async function applyWaves(
  stack: OpenStack,
  view: RunView,
  approved: ExecutablePlan,
  args: ApplyArguments,
): Promise<ApplyResult> {
  const isApproved = approvedIn(approved.changes);
  const waves = wavesOf(approved, args.wave!);
  const total = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
  const diagnostics: Diagnostic[] = [];
  let last: ApplyResult | undefined;
  for (const [at, containers] of [...waves, undefined].entries()) {
    await stack.recover();
    const options = { ...args, access: false, containers, willApply: true };
    const { requests: _, ...plan } = await stack.plan(options);
    const others = plan.changes.filter((change) => isPlanned(change) && !isApproved(change));
    if (others.length > 0 && last === undefined) throw new DiagnosticError([differs(others)]);
    if (others.length > 0) {
      diagnostics.push(differs(others));
      break;
    }
    if (!plan.applicable) {
      if (last === undefined) throw new DiagnosticError([...plan.diagnostics]);
      diagnostics.push(...plan.diagnostics);
      break;
    }
    if (containers !== undefined)
      view.notice(`Wave ${at + 1} of ${waves.length}: ${namesUpTo(SHOWN, containers)}.`);
    last = await stack.apply(plan);
    diagnostics.push(...plan.diagnostics.filter(({ severity }) => severity === "error"), ...last.diagnostics);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += last.done[key] ?? 0;
    if (!hasErrors(diagnostics)) continue;
    const left = waves.slice(at + 1).flat().length;
    if (left > 0)
      view.notice(
        `Stopped after wave ${at + 1} of ${waves.length}: ${counted(left, "project")} ${left === 1 ? "was" : "were"} not started.`,
      );
    break;
  }
  return {
    ...last!,
    diagnostics: diagnostics.filter(({ code }) => code !== "targeting_incomplete"),
    done: total,
  };
}

/**
 * Divides the projects and groups that a plan changes into waves. A wave comes after the waves on whose changes it depends.
 * If nothing depends on the order, projects and groups are sorted by path.
 *
 * @throws DiagnosticError `wave_order` if projects or groups that depend on each other don't fit into one wave. Also thrown if
 * a project or group depends on an object without a project or group
 */
function wavesOf(plan: ExecutablePlan, size: number): readonly (readonly string[])[] {
  const { groups, needOthers } = orderContainers(plan);
  const [other] = needOthers;
  if (other !== undefined) throw new DiagnosticError([needsOthers(other)]);
  const ordered = new Set(groups.flat());
  // Only planned changes send requests. Moves, imports and forgotten objects cause no requests, so they need no wave.
  const names = plan.changes.filter(isPlanned).flatMap((change) => containerOf(change)?.name ?? []);
  const free = [...new Set(names)].filter((name) => !ordered.has(name)).map((name) => [name]);
  const waves: string[][] = [];
  for (const group of isInOrder(groups) ? merged(groups, free) : [...groups, ...free]) {
    if (group.length > size) throw new DiagnosticError([needEachOther(group, size)]);
    const current = waves.at(-1);
    if (current !== undefined && current.length + group.length <= size) current.push(...group);
    else waves.push([...group]);
  }
  return waves;
}

const byName = ([one = ""]: readonly string[], [other = ""]: readonly string[]): number =>
  compareNatural(one, other);

const isInOrder = (groups: readonly (readonly string[])[]): boolean =>
  groups.every((group, at) => at === 0 || byName(groups[at - 1]!, group) < 0);

const merged = (...groups: readonly (readonly (readonly string[])[])[]) => groups.flat().sort(byName);

/**
 * Returns a function that returns true for an approved change. If a value was unknown in the approved plan, any value counts as
 * approved.
 */
function approvedIn(changes: readonly ResourceChange[]): (change: ResourceChange) => boolean {
  const approved = new Map(changes.map((change) => [keyOf(change), change]));
  return (change) => {
    const same = approved.get(keyOf(change));
    if (same === undefined || !isAsApproved(same.after, change.after)) return false;
    const shown = new Set(removedEntries(same));
    return removedEntries(change).every((entry) => shown.has(entry));
  };
}

/**
 * Returns one key for each list entry that a change removes. People did not approve the removal of an entry that appeared
 * after their approval.
 */
function removedEntries({ before, after, replaced }: ResourceChange): string[] {
  return Object.entries(before ?? replaced?.live ?? {}).flatMap(([name, present]) => {
    const planned = after?.[name];
    const kept = new Set(Array.isArray(planned) ? planned.map(keyOfEntry) : []);
    const all = Array.isArray(present) ? present.map(keyOfEntry) : [];
    return all.filter((key) => !kept.has(key)).map((key) => `${name} ${key}`);
  });
}

const keyOfEntry = (entry: Value): string => (isWhollyKnown(entry) ? canonicalJson(entry) : "unknown");

const keyOf = ({ address, action, importing }: ResourceChange): string =>
  JSON.stringify([address, action, importing?.id]);

function isAsApproved(approved: Value, planned: Value): boolean {
  if (isUnknown(approved)) return true;
  if (Array.isArray(approved) && Array.isArray(planned))
    return approved.length === planned.length && approved.every((one, at) => isAsApproved(one, planned[at]!));
  if (isObject(approved) && isObject(planned))
    return [...new Set([...Object.keys(approved), ...Object.keys(planned)])].every((name) =>
      isAsApproved(approved[name] ?? null, planned[name] ?? null),
    );
  return canonicalJson(approved) === canonicalJson(planned);
}

const differs = (others: readonly ResourceChange[]): Diagnostic =>
  error({
    code: "wave_differs",
    summary: "Wave differs from the approved plan",
    detail: `The approved plan does not contain these changes of this wave: ${others
      .map(({ address }) => address)
      .sort(compareNatural)
      .slice(0, 10)
      .join(
        ", ",
      )}. The configuration or the service changed after the approval. Nothing of this wave was sent. Plan and apply again.`,
  });

const needEachOther = (group: readonly string[], size: number): Diagnostic =>
  error({
    code: "wave_order",
    summary: "Waves have no valid order",
    detail: `The changes of ${allUpTo(SHOWN, group)} depend on each other, but a wave has only ${counted(size, "project")}. Nothing was sent. Use --wave ${group.length} or more, omit --wave, or remove the dependencies between these projects.`,
  });

const needsOthers = ([address, needed]: readonly [string, string]): Diagnostic =>
  error({
    code: "wave_order",
    summary: "Waves have no valid order",
    detail: `${address} depends on the change of ${needed}, which belongs to no project and would be applied after all waves. Nothing was sent. Apply ${needed} first with --target, or omit --wave.`,
    address,
  });
