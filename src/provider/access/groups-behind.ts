import type { AccessChange, AccessTarget } from "../../framework";
import type { ContainerKind } from "../define";
import type { DeclaredEntry } from "../resources/parts/access-entries";
import { liveProtections } from "./environments";
import { granting } from "./granting";
import type { Access } from "./people";

/**
 * Lists the groups whose members decide who has access in a project, besides the groups above it. The project or a group above it
 * is shared with them, or entries of its environments name them. Another stack that changes their members changes who has access.
 * Without other stacks nothing is read, and no group is listed. A report with a limit reads nothing: any group may be behind.
 *
 * @param hasArrivals whether the changes add members, which concerns all environments
 * @throws the client's errors
 */
export async function groupsBehind(
  access: Access,
  { kind, id }: { readonly kind: ContainerKind; readonly id: number },
  changes: readonly AccessChange[],
  hasArrivals: boolean,
): Promise<AccessTarget[]> {
  const isOfPeople =
    hasArrivals || [...granting(changes, "deployments"), ...granting(changes, "images")].length > 0;
  if (access.isPartial !== true || kind === "group" || !isOfPeople) return [];
  if (access.people.isLimited) return [ANY_GROUP];
  const ids = new Set([
    ...(await sharingGroups(access, id)),
    ...declaredGroups(changes),
    ...(await liveGroups(access, id, changes, hasArrivals)),
  ]);
  const names = await Promise.all([...ids].map((group) => access.people.nameOf("group", group)));
  return names.sort().map((name) => ({ kind: "group", name }));
}

/** Any group: a report with a limit does not read which ones they are. */
const ANY_GROUP: AccessTarget = { kind: "group", name: "*" };

/** The groups that a project or a group above it is shared with. */
async function sharingGroups({ api, ask, people }: Access, project: number): Promise<number[]> {
  const { namespace, shared_with_groups } = await ask(() => api.projects.get(project));
  const isInGroup = namespace !== null && namespace.kind !== "user";
  const above = isInGroup ? await people.chainOf(namespace.id) : [];
  return [...shared_with_groups, ...above.flatMap((group) => group.shared_with_groups)].map(
    ({ group_id }) => group_id,
  );
}

/** The groups in the declared entries of environments, before and after the changes. */
const declaredGroups = (changes: readonly AccessChange[]): number[] =>
  granting(changes, "deployments").flatMap(({ change: { before, after }, grant }) =>
    [before, after].flatMap((side) =>
      [grant.deploy, grant.approve].flatMap((name) =>
        groupsIn((side?.declared[name] ?? []) as readonly DeclaredEntry[]),
      ),
    ),
  );

/** The groups in the live entries of the environments that the changes concern. */
async function liveGroups(
  access: Access,
  project: number,
  changes: readonly AccessChange[],
  isForAll: boolean,
): Promise<number[]> {
  const names = granting(changes, "deployments").flatMap(({ change: { before, after }, grant }) =>
    [before, after].flatMap((side) => (side === undefined ? [] : String(side.declared[grant.name]))),
  );
  const live = await liveProtections(access, project, isForAll ? undefined : [...new Set(names)]);
  return live.flatMap(({ deploy, approve }) => groupsIn([...deploy, ...approve]));
}

const groupsIn = (entries: readonly DeclaredEntry[]): number[] =>
  entries.flatMap(({ group }) => group?.id ?? []);
