import { once } from "../../schema";
import type { ContainerKind } from "../define";
import type { DeclaredEntry } from "../resources/parts/access-entries";
import { isInherited } from "./environment-rules";
import { type Access, People, SharedPeople } from "./people";
import { type AccessScope, limitedReads, unlimitedReads } from "./reads";

/** A project or group with changes. */
interface Container {
  readonly kind: ContainerKind;
  readonly id: number;
}

/**
 * Returns a function. For each project or group, the function returns the `Access` that the report uses to read this
 * project or group. Without a request limit, all projects and groups share one `Access`. With a limit, the report
 * may send `maxReads` requests for each project or group.
 *
 * The changes of environments and images in a project need only one request, for the project's members. If a project
 * has only changes of environments and images, the report uses the remaining requests to read the members of groups
 * that entries name. The choice of the groups to read depends only on the plan, and not on the order of responses.
 *
 * @param others the names of the projects and groups with other changes
 * @param named the entries of changed environments that name a group
 */
export function accessByContainer(
  scope: AccessScope,
  containers: readonly Container[],
  others: ReadonlySet<string>,
  named: readonly DeclaredEntry[],
): (kind: ContainerKind, id: number) => Access {
  const base = unlimitedReads(scope);
  const { maxReads } = scope;
  if (maxReads === undefined) {
    const access = { ...base, people: new People(base) };
    return () => access;
  }
  const sharing = containers.filter(({ kind, id }) => !others.has(`${kind} ${id}`));
  const spare = sharing.length * (maxReads - 1);
  const shared = new SharedPeople(base, new Set(mostNamed(named).slice(0, Math.max(0, spare))));
  const known = new Map<string, Access>();
  return (kind, id) =>
    once(known, `${kind} ${id}`, () => {
      const most = others.has(`${kind} ${id}`) ? maxReads : Math.min(maxReads, 1);
      const reads = limitedReads(scope, Math.max(0, most - scope.sentAhead(kind, id)));
      return { ...reads, people: new People(reads, shared) };
    });
}

/**
 * Returns the groups that entries name, without the entries that cover inherited members. The group with the most
 * entries comes first.
 */
function mostNamed(entries: readonly DeclaredEntry[]): number[] {
  const counts = new Map<number, number>();
  for (const entry of entries)
    if (entry.group !== null && !isInherited(entry))
      counts.set(entry.group.id, (counts.get(entry.group.id) ?? 0) + 1);
  return [...counts].sort(([one, ones], [other, others]) => others - ones || one - other).map(([id]) => id);
}
