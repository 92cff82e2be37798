import type { AccessTarget } from "../../framework";
import type { ContainerKind } from "../define";
import type { DeclaredEntry } from "../resources/parts/access-entries";
import { liveProtections } from "./environments";
import type { Access } from "./people";

/**
 * Returns the groups, other than a project's parent groups, whose members have access to the project. Either the
 * project or a parent group is shared with these groups, or entries of the project's environments name these groups.
 * If another stack changes the members of these groups, access to the project changes too. If the report covers all
 * stacks, the function reads nothing and returns no groups. For a report with a request limit, the function reads
 * nothing and returns `ANY_GROUP`.
 *
 * @throws the client's errors
 */
export async function groupsBehind(
  access: Access,
  { kind, id }: { readonly kind: ContainerKind; readonly id: number },
  { isOfPeople, environments, named }: ChangedEnvironments,
): Promise<AccessTarget[]> {
  if (access.isPartial !== true || kind === "group" || !isOfPeople) return [];
  if (access.people.isLimited) return [ANY_GROUP];
  const ids = new Set([
    ...(await sharingGroups(access, id)),
    ...groupsIn(named),
    ...(await liveGroups(access, id, environments)),
  ]);
  const names = await Promise.all([...ids].map((group) => access.people.nameOf("group", group)));
  return names.sort().map((name) => ({ kind: "group", name }));
}

/** The environments that a project's changes affect, and whether the effect depends on the members. */
interface ChangedEnvironments {
  /** Whether the effect of the changes depends on which people are members. */
  readonly isOfPeople: boolean;
  /**
   * The names of the changed environments. Undefined if the changes add members, because such changes affect all
   * environments.
   */
  readonly environments: readonly string[] | undefined;
  /** The declared entries that name a group. */
  readonly named: readonly DeclaredEntry[];
}

/**
 * The target that means any group. A report with a request limit names this target, because such a report does not
 * read which groups have access.
 */
const ANY_GROUP: AccessTarget = { kind: "group", name: "*" };

/** Returns the groups with which a project or one of its parent groups is shared. */
async function sharingGroups({ api, ask, people }: Access, project: number): Promise<number[]> {
  const { namespace, shared_with_groups } = await ask(() => api.projects.get(project));
  const isInGroup = namespace !== null && namespace.kind !== "user";
  const above = isInGroup ? await people.chainOf(namespace.id) : [];
  return [...shared_with_groups, ...above.flatMap((group) => group.shared_with_groups)].map(
    ({ group_id }) => group_id,
  );
}

/** Returns the groups that live entries of the affected environments name. */
async function liveGroups(
  access: Access,
  project: number,
  names: readonly string[] | undefined,
): Promise<number[]> {
  const live = await liveProtections(access, project, names);
  return live.flatMap(({ deploy, approve }) => groupsIn([...deploy, ...approve]));
}

const groupsIn = (entries: readonly DeclaredEntry[]): number[] =>
  entries.flatMap(({ group }) => group?.id ?? []);
