import type { AccessChange, AccessPlace, AccessReport, NotCounted } from "../../framework";
import type { ContainerKind } from "../define";
import { environmentPlaces, type ProjectChanges } from "./environments";
import { imagePlaces } from "./images";
import { type Invitees, inviteesOf, isInvitation, type Join, type Reach, reachOf } from "./invitees";
import { jobTokenPlaces } from "./job-tokens";
import { membershipPlace } from "./memberships";
import { type AccessScope, People } from "./people";

/**
 * Who gains and who loses access by planned changes: deployments and approvals, job tokens, protected images and
 * memberships. Administrators of the instance are not counted: whatever the rules are, they apply to them by level.
 */
export async function describeAccess(
  scope: AccessScope,
  changes: readonly AccessChange[],
): Promise<AccessReport> {
  const people = new People(scope);
  const invitees = await inviteesOf(scope, people, changes);
  const containers = containersOf(changes);
  const described = await Promise.all(
    containers.map(async ({ kind, id, name }): Promise<readonly AccessPlace[]> => {
      const container = { kind, id, name: await nameOf(scope, kind, id, name) };
      const here = <T extends Pick<Join, "kind" | "container">>(all: readonly T[]) =>
        all.filter((one) => one.kind === kind && one.container === id);
      const { joins, invites, relevels } = invitees;
      const arrivals = { joins: here(joins), invites: here(invites), relevels: here(relevels) };
      const members = await membershipPlace(scope, people, container, arrivals);
      if (kind === "group") return members;
      return [...(await projectPlaces(scope, people, container, changes, invitees)), ...members];
    }),
  );
  return { places: described.flat(), notCounted: invitees.notCounted };
}

interface Container {
  readonly kind: ContainerKind;
  readonly id: number;
  readonly name: string | undefined;
}

/** The projects and groups with changes, by name. */
function containersOf(changes: readonly AccessChange[]): Container[] {
  const containers = new Map<string, Container>();
  for (const { type, before, after } of changes) {
    const kind = type === "group_invitation" ? "group" : "project";
    for (const side of [before, after]) {
      if (side === undefined) continue;
      const name = side.attributes[kind];
      const known = containers.get(`${kind} ${side.container}`)?.name;
      const path = typeof name === "string" && /\D/.test(name) ? name : undefined;
      containers.set(`${kind} ${side.container}`, { kind, id: side.container, name: known ?? path });
    }
  }
  return [...containers.values()].sort((one, other) => one.id - other.id);
}

async function nameOf(
  scope: AccessScope,
  kind: ContainerKind,
  id: number,
  name: string | undefined,
): Promise<string> {
  if (name !== undefined) return name;
  return scope.nameOf(kind, id).catch((problem: unknown) => {
    scope.reasonOf(problem);
    return String(id);
  });
}

async function projectPlaces(
  scope: AccessScope,
  people: People,
  { id, name }: { readonly id: number; readonly name: string },
  changes: readonly AccessChange[],
  invitees: Invitees,
): Promise<readonly AccessPlace[]> {
  const own = changes.filter(
    (change) => !isInvitation(change) && [change.before, change.after].some((side) => side?.container === id),
  );
  const notCounted: NotCounted[] = [];
  const reach = await reachFor(scope, people, id, invitees, notCounted);
  const arriving = <T extends Join | Invitees["invites"][number]>(all: readonly T[]): T[] =>
    all.flatMap((one) => {
      const level =
        one.kind === "project" ? (one.container === id ? one.level : 0) : reach(one.container, one.level);
      return level > 0 ? [{ ...one, level }] : [];
    });
  const project: ProjectChanges = {
    id,
    name,
    changes: own,
    joins: arriving(invitees.joins),
    invites: arriving(invitees.invites),
  };
  const container = { kind: "project", name };
  const safely = async (
    what: string,
    places: Promise<readonly AccessPlace[]>,
  ): Promise<readonly AccessPlace[]> => {
    try {
      return await places;
    } catch (problem) {
      return [{ container, abilities: [], rules: [], notCounted: [{ what, why: scope.reasonOf(problem) }] }];
    }
  };
  const parts = await Promise.all([
    safely("the protected environments", environmentPlaces(scope, people, project)),
    safely("the job token allowlist", jobTokenPlaces(scope, project)),
    safely("the container protection rules", imagePlaces(scope, people, project)),
  ]);
  return [
    ...parts.flat(),
    ...(notCounted.length > 0 ? [{ container, abilities: [], rules: [], notCounted }] : []),
  ];
}

/** How the plan's new members of groups reach the project. Without any, nothing is read. */
async function reachFor(
  scope: AccessScope,
  people: People,
  project: number,
  { joins, invites }: Invitees,
  notCounted: NotCounted[],
): Promise<Reach> {
  if (![...joins, ...invites].some(({ kind }) => kind === "group")) return () => 0;
  try {
    return await reachOf(scope, people, { kind: "project", id: project });
  } catch (problem) {
    notCounted.push({ what: "new members of groups above", why: scope.reasonOf(problem) });
    return () => 0;
  }
}
