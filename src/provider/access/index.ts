// This module reports who gains and who loses access through planned changes. The report reads the service, and changes
// nothing.

import type { Client } from "../../api";
import type {
  AccessAheadScope,
  AccessChange,
  AccessPlace,
  AccessReport,
  NewObject,
  NotCounted,
  TouchedContainer,
} from "../../framework";
import { append, groupBy } from "../../schema";
import type { AccessDeclaration, Granting, GrantKind } from "../access-declaration";
import type { ContainerKind } from "../define";
import { changesPeople, environmentNames, groupEntries } from "./environment-rules";
import { environmentPlaces } from "./environments";
import { groupsBehind } from "./groups-behind";
import { imagePlaces } from "./images";
import {
  type Invitees,
  inviteesOf,
  type Join,
  membershipPlace,
  type ProjectChanges,
  reachOf,
} from "./invitees";
import { jobTokenPlaces, withEverybody } from "./job-tokens";
import { accessByContainer } from "./limits";
import { type Access, ability, notCountedIn, orNotCounted, readMembersAhead } from "./people";
import type { AccessScope } from "./reads";

/**
 * Reports the people who gain or lose access through planned changes: deployments and approvals, job tokens, protected
 * images and memberships. The report does not list administrators of the instance, because entries name only the level
 * of administrators.
 */
export async function describeAccess(
  scope: AccessScope,
  all: readonly AccessChange[],
): Promise<AccessReport> {
  const changes = all.filter(isEvaluated);
  const containers = containersOf(changes);
  const withOthers = changes.filter((change) => !isOfMembers(change)).flatMap(containerNames);
  const named = groupEntries(granting(changes, "deployments"));
  const accessIn = accessByContainer(scope, containers, new Set(withOthers), named);
  const invitees = await inviteesOf(accessIn, granting(changes, "membership"));
  const { joins, invites, relevels } = invitees;
  const [joinsOf, invitesOf, relevelsOf] = [byContainer(joins), byContainer(invites), byContainer(relevels)];
  const isMembership = (change: AccessChange) => declarationOf(change)?.grants === "membership";
  const changesOf = byProject(changes.filter((change) => !isMembership(change)));
  const touched: TouchedContainer[] = [];
  const unread: NotCounted[] = [];
  const changed = new Set(
    containersOf(changes.filter(({ isUnchanged }) => !isUnchanged)).map(({ kind, id }) => `${kind} ${id}`),
  );
  const described = await Promise.all(
    containers.map(async ({ kind, id, name }): Promise<readonly AccessPlace[]> => {
      const access = accessIn(kind, id);
      const container = { kind, id, name: name ?? (await access.people.nameOf(kind, id)) };
      const place = { kind, container: id };
      const arrivals = {
        joins: joinsOf.within(place),
        invites: invitesOf.within(place),
        relevels: relevelsOf.within(place),
      };
      const members = await membershipPlace(access, container, arrivals);
      const own = kind === "group" ? [] : (changesOf.get(id) ?? []);
      const arriving = { joins: joinsOf.reaching(place), invites: invitesOf.reaching(place) };
      const places = kind === "group" ? [] : await projectPlaces(access, container, own, arriving);
      if (changed.has(`${kind} ${id}`)) {
        const what = `members of groups outside of ${container.name}`;
        const isForAll = arrivals.joins.length + arrivals.invites.length > 0;
        const deployments = granting(own, "deployments");
        const reading = groupsBehind(access, container, {
          isOfPeople: isForAll || deployments.length + granting(own, "images").length > 0,
          environments: isForAll ? undefined : environmentNames(deployments),
          named: groupEntries(deployments),
        });
        const dependsOn = await orNotCounted(access, unread, what, reading);
        touched.push({ kind, name: container.name, ...(dependsOn?.length && { dependsOn }) });
      }
      return [...places, ...members];
    }),
  );
  const places = scope.isReversed ? described.flat().map(reversed) : described.flat();
  const others = all.filter((change) => !isEvaluated(change)).map(notEvaluated);
  return { places, notCounted: [...others, ...invitees.notCounted, ...unread], touched };
}

/**
 * Starts to read the members of a project if a new protected environment changes who may deploy or approve. For
 * other kinds of access, live objects decide whether the report needs the members, so no read starts here.
 */
export function readAccessAhead(
  scope: AccessAheadScope<Client>,
  { definition, container, declared }: NewObject,
): Promise<unknown> | undefined {
  const access = declarationOf({ definition });
  if (access?.grants !== "deployments" || !changesPeople(access, declared)) return undefined;
  return readMembersAhead(scope, container);
}

/**
 * Returns the access declaration of a change's resource. Returns undefined for a resource without a declaration of
 * access. The report does not evaluate changes of a resource without this declaration.
 */
const declarationOf = ({ definition }: Pick<AccessChange, "definition">): AccessDeclaration | undefined =>
  definition.access as AccessDeclaration | undefined;

/** Returns the changes of objects that grant one kind of access. */
export const granting = <Kind extends GrantKind>(
  changes: readonly AccessChange[],
  kind: Kind,
): readonly Granting<Kind>[] =>
  changes.flatMap((change) => {
    const grant = declarationOf(change);
    return grant?.grants === kind ? [{ change, grant: grant as Granting<Kind>["grant"] }] : [];
  });

/**
 * Returns whether the effect of a change depends only on the members of the change's project and on data that the plan
 * has read.
 */
const isOfMembers = (change: AccessChange): boolean =>
  ["deployments", "images"].includes(declarationOf(change)?.grants ?? "");

const containerNames = ({ definition, before, after }: AccessChange): string[] =>
  [before, after].flatMap((side) => (side === undefined ? [] : `${definition.container} ${side.container}`));

type ProjectGrant = Exclude<GrantKind, "membership">;

/**
 * The functions that evaluate each kind of access to a project. The report evaluates memberships first and
 * separately, because all other kinds of access depend on memberships.
 */
const PLACES: {
  readonly [Kind in ProjectGrant]: (
    access: Access,
    project: ProjectChanges,
    own: readonly Granting<Kind>[],
  ) => Promise<readonly AccessPlace[]>;
} = { deployments: environmentPlaces, job_tokens: jobTokenPlaces, images: imagePlaces };

const isEvaluated = (change: AccessChange): boolean => {
  const kind = declarationOf(change)?.grants ?? "";
  return kind === "membership" || (kind in PLACES && change.definition.container === "project");
};

const notEvaluated = (change: AccessChange): NotCounted => ({
  what: change.address,
  why: `${declarationOf(change)?.grants} of a ${change.definition.container} is not evaluated by this release`,
});

/** Returns a report entry in which the values before and after the changes are swapped. */
const reversed = (place: AccessPlace): AccessPlace => ({
  ...place,
  abilities: place.abilities.map(({ name, before, after }) =>
    name === "use_job_tokens" ? withEverybody(after, before) : ability(name, after, before),
  ),
  rules: place.rules.map(({ name, before, after }) => ({ name, before: after, after: before })),
});

type Placed = Pick<Join, "kind" | "container">;

/**
 * Returns functions that find the new members or invitations of a project or group. The functions use an index, because
 * a plan can contain thousands of invitations.
 */
function byContainer<T extends Placed>(all: readonly T[]) {
  const placed = groupBy(all, ({ kind, container }) => `${kind} ${container}`);
  const within = ({ kind, container }: Placed): readonly T[] => placed.get(`${kind} ${container}`) ?? [];
  const ofGroups = all.filter(({ kind }) => kind === "group");
  const position = new Map(all.map((one, index) => [one, index]));
  /**
   * Returns the elements of a project and of all groups, in their original order. Any of the groups may be a parent
   * of the project.
   */
  const reaching = (project: Placed): readonly T[] =>
    [...within(project), ...ofGroups].sort((one, other) => position.get(one)! - position.get(other)!);
  return { within, reaching };
}

/**
 * Groups changes by project. A change that moves an object to another project is in the lists of the old and the new
 * project.
 */
function byProject(changes: readonly AccessChange[]): ReadonlyMap<number, readonly AccessChange[]> {
  const own = new Map<number, AccessChange[]>();
  for (const change of changes) {
    const sides = [change.before?.container, change.after?.container];
    for (const project of new Set(sides)) if (project !== undefined) append(own, project, change);
  }
  return own;
}

interface Container {
  readonly kind: ContainerKind;
  readonly id: number;
  readonly name: string | undefined;
}

/** Returns the projects and groups with changes, with their names if the changes contain these names. */
function containersOf(changes: readonly AccessChange[]): Container[] {
  const containers = new Map<string, Container>();
  for (const { definition, before, after } of changes) {
    const kind = definition.container as ContainerKind;
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

const isOfPeople = ({ target }: AccessPlace): boolean =>
  ["environment", "environments"].includes(target?.kind ?? "");

const withNotCounted = (place: AccessPlace, more: readonly NotCounted[]): AccessPlace => ({
  ...place,
  notCounted: [...place.notCounted, ...more],
});

async function projectPlaces(
  access: Access,
  { id, name }: { readonly id: number; readonly name: string },
  changes: readonly AccessChange[],
  invitees: Pick<Invitees, "joins" | "invites">,
): Promise<readonly AccessPlace[]> {
  const notCounted: NotCounted[] = [];
  // The groups above a project are read only if the plan adds members to a group.
  const isReaching = [...invitees.joins, ...invitees.invites].some(({ kind }) => kind === "group");
  const reading = isReaching ? reachOf(access, { kind: "project", id }) : Promise.resolve(undefined);
  const reach = await orNotCounted(access, notCounted, "new members of groups above", reading);
  const arriving = <T extends Join | Invitees["invites"][number]>(all: readonly T[]): T[] =>
    all.flatMap((one) => {
      const level =
        one.kind === "group" ? reach?.(one.container, one.level) : one.container === id && one.level;
      return level ? [{ ...one, level }] : [];
    });
  const project: ProjectChanges = {
    id,
    name,
    addresses: changes.map(({ address }) => address),
    joins: arriving(invitees.joins),
    invites: arriving(invitees.invites),
  };
  const placesOf = <Kind extends ProjectGrant>(kind: Kind) =>
    PLACES[kind](access, project, granting(changes, kind));
  const parts = await Promise.all((Object.keys(PLACES) as ProjectGrant[]).map((kind) => placesOf(kind)));
  if (notCounted.length === 0) return parts.flat();
  // Members of groups that could not be read may be able to deploy. The places that list people are therefore
  // incomplete.
  const places = parts.flat().map((place) => (isOfPeople(place) ? withNotCounted(place, notCounted) : place));
  return [...places, notCountedIn(name, notCounted)];
}
