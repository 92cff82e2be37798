import {
  type AccessHolder,
  type AccessPlace,
  type AccessReport,
  groupBy,
  type RehearsedStep,
  type RightsReport,
  type TouchedContainer,
  type UnmanagedObject,
} from "../../engine";
import { defined } from "../../json";
import { compareNatural } from "../../text";
import { ACCESS_FACTS, accessText, directionOfAccess, loosens } from "./access-entry";
import type { Report, ReportAccess, ReportAccessBasis, ReportRight } from "./model";

/**
 * Returns the field with the names of an access change's stacks: `stack` for one, or `stacks` for several. Returns no field
 * for a configuration without stacks.
 */
function of(stacks: readonly string[]): { readonly stack?: string; readonly stacks?: readonly string[] } {
  const [first, ...others] = stacks;
  if (first === undefined) return {};
  return others.length === 0 ? { stack: first } : { stacks };
}

type OfStacks = Pick<ReportAccess, "stack" | "stacks">;

/** Returns the stacks of all access changes, without duplicates. */
const stacksOf = (all: readonly OfStacks[]): string[] => [
  ...new Set(all.flatMap(({ stack, stacks = [] }) => [...(stack === undefined ? [] : [stack]), ...stacks])),
];

const groupsOf = <T>(all: readonly T[], keyOf: (item: T) => string) => [...groupBy(all, keyOf).values()];

/** Returns the access changes of one stack. `stack` is undefined for a configuration that is not a stack of an app. */
export const accessEntries = (
  { places, notCounted }: AccessReport,
  stack: string | undefined,
): ReportAccess[] => [
  ...places.map((place) => ({ ...(stack !== undefined && { stack }), ...describePlace(place) })),
  ...(notCounted.length === 0 ? [] : [general(stack === undefined ? [] : [stack], notCounted)]),
];

/**
 * Returns an access change that lists undeclared live objects which may grant access. Access through these objects is not
 * counted, because the run does not find out who gets this access.
 */
export function undeclaredAccess(objects: readonly UnmanagedObject[]): ReportAccess[] {
  const granting = objects.filter(({ grantsNothing }) => grantsNothing !== true);
  const notCounted = granting.map((object) => ({ what: `${object.type} ${object.id}`, why: UNDECLARED }));
  return notCounted.length === 0 ? [] : [general([], notCounted)];
}

const UNDECLARED = "it is not declared, so the access that it gives is not evaluated";

/**
 * Returns an access change that belongs to no project or group. The access change contains only the parts that are not counted.
 */
const general = (
  stacks: readonly string[],
  notCounted: Readonly<ReportAccess["not_counted"]>,
): ReportAccess => ({
  ...of(stacks),
  gains: {},
  loses: {},
  rules: [],
  not_counted: notCounted.map(({ what, why }) => ({ what, why })),
  text: "",
});

/** Returns the access change of one project or group, or of an object in it such as an environment. */
export function describePlace(place: AccessPlace): ReportAccess {
  const { container, target, abilities, rules, notCounted, changes = [], service } = place;
  const names = (side: "gains" | "loses") =>
    Object.fromEntries([
      ...(target?.kind === "environment" ? ENVIRONMENT_ABILITIES : []).map((name) => [name, [] as string[]]),
      ...abilities.map((ability) => [ability.name, ability[side].map(nameOf)]),
    ]) as Record<string, string[]>;
  const notes = abilities.flatMap(({ name: ability, gains, loses }) =>
    [...gains, ...loses].flatMap((holder) =>
      holder.note === undefined ? [] : [{ name: nameOf(holder), note: holder.note, ability }],
    ),
  );
  return withText({
    [container.kind]: container.name,
    ...(target !== undefined && { [target.kind]: target.name }),
    gains: names("gains"),
    loses: names("loses"),
    ...(notes.length > 0 && { notes }),
    rules: rules.map(({ name, before, after }) => ({ name, before, after })),
    not_counted: notCounted.map(({ what, why }) => ({ what, why })),
    text: "",
    ...(changes.length > 0 && { changes }),
    ...(service !== undefined && { service: webAddress(service) }),
  });
}

const withText = (entry: ReportAccess): ReportAccess => ({ ...entry, text: accessText(entry) });

/** The abilities that an environment's access change always lists, even if no person gains or loses them. */
const ENVIRONMENT_ABILITIES = ["deploy", "approve"];

/** Returns the name of a person. The name of a project or group begins with its kind, such as `group`. */
const nameOf = ({ kind, name }: AccessHolder): string =>
  kind === "project" || kind === "group" ? `${kind} ${name}` : name;

/** Returns the projects and groups in which a stack changes something, in the form that reports contain. */
export const basisEntries = (
  touched: readonly TouchedContainer[],
  stack: string | undefined,
): ReportAccessBasis[] =>
  [...touched].sort(byName).map(({ kind, name, service, dependsOn = [] }) => ({
    ...defined({ stack, service: service && webAddress(service) }),
    [kind]: name,
    ...(dependsOn.length > 0 && { depends_on: dependsOn.map((one) => `${one.kind} ${one.name}`) }),
  }));

const byName = (one: TouchedContainer, other: TouchedContainer): number =>
  compareNatural(`${one.kind} ${one.name}`, `${other.kind} ${other.name}`);

/** Returns the web address of a service: its address without the path of the API. */
const webAddress = (address: string): string => address.replace(/\/api\/v\d+\/?$/, "");

/**
 * Merges the access changes of all stacks, so that the same gain or loss counts only once. Changes that give access come
 * first. If several stacks change one project or group, their combined effect is not counted, because Steward plans each
 * stack separately. For example, one stack can add a member, and another stack can change the rights of members.
 */
export function mergeAccess(
  all: readonly ReportAccess[],
  basis: readonly ReportAccessBasis[] = [],
): ReportAccess[] {
  const placed = all.filter((one) => containerOf(one) !== undefined);
  const sharing = sharingStacks(placed, basis);
  const places = groupsOf(placed, numbered()).map((group) => mergedPlace(group, sharing(group[0])));
  const notCounted = all.flatMap((one) =>
    containerOf(one) === undefined
      ? one.not_counted.map(({ what, why }) => ({ what, why, stacks: stacksOf([one]) }))
      : [],
  );
  const reasons = groupsOf(notCounted, ({ what, why }) => JSON.stringify([what, why])).map((same) => ({
    ...same[0],
    stacks: stacksOf(same),
  }));
  const services = new Set(all.flatMap(({ service }) => service ?? []));
  // If all changes are on one service, the name of the service is left out.
  const shown = services.size > 1 ? places : places.map(({ service: _, ...entry }): ReportAccess => entry);
  const isLooserByEntry = new Map(shown.map((one) => [one, loosens(directionOfAccess(one))]));
  return [
    ...shown.filter((one) => isLooserByEntry.get(one)),
    ...shown.filter((one) => !isLooserByEntry.get(one)),
    ...groupsOf(reasons, ({ stacks }) => JSON.stringify(stacks)).map((same) => general(same[0].stacks, same)),
  ];
}

/** Returns the fields that say where an access change is, such as `project` and `environment`. */
const placeIn = (entry: ReportAccess): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !ACCESS_FACTS.has(name)));

/** Returns the project or group of an access change, as kind and full path: `group acme`. */
function containerOf({ project, group }: Pick<ReportAccess, "project" | "group">): string | undefined {
  if (project !== undefined) return `project ${project}`;
  return group === undefined ? undefined : `group ${group}`;
}

/**
 * Returns a function that gives each access change its key for a merge. Changes of different stacks in the same place get equal
 * keys. If one stack has several changes with the same fields, a number distinguishes their keys.
 */
function numbered(): (entry: ReportAccess) => string {
  const seen = new Map<string, number>();
  return (entry) => {
    const key = JSON.stringify([entry.service, placeIn(entry), Object.keys(entry.gains)]);
    const stacks = stacksOf([entry]);
    const inStacks = (stacks.length === 0 ? [""] : stacks).map((stack) => JSON.stringify([stack, key]));
    const number = Math.max(...inStacks.map((one) => seen.get(one) ?? 0));
    for (const one of inStacks) seen.set(one, number + 1);
    return `${number} ${key}`;
  };
}

/**
 * Returns a function that lists the stacks whose changes affect the same project or group as an access change. A member of a
 * group is also a member of all projects and groups below the group. A member of a group also has access to projects and groups
 * where the group is invited or named. Therefore, a change of a group's members affects all projects and groups to which the
 * group has access. Changes on different services never affect each other.
 */
function sharingStacks(
  placed: readonly ReportAccess[],
  basis: readonly ReportAccessBasis[],
): (entry: ReportAccess) => readonly string[] {
  const all: readonly (ReportAccess | ReportAccessBasis)[] = [...basis, ...placed];
  const byContainer = new Map(
    [...groupBy(all, (one) => containerOf(one)!)].map(([container, entries]) => [container, summed(entries)]),
  );
  const allGroups = [...byContainer.keys()].filter((container) => container.startsWith("group "));
  const found = new Map<string, readonly string[]>();
  return (entry) => {
    const own = containerOf(entry)!;
    // The list of stacks is cached, because a project may have many access changes.
    const key = JSON.stringify([own, entry.service]);
    let stacks = found.get(key);
    if (stacks === undefined) {
      const isHere = ({ service }: SummedEntries) =>
        service === undefined || entry.service === undefined || service === entry.service;
      const within = (container: string) => (byContainer.get(container) ?? []).filter(isHere);
      const others = within(own).flatMap(({ dependsOn }) => dependsOn);
      const groups = [own, ...others].flatMap(groupsAbove);
      const unknown = others.includes(ANY_GROUP) ? allGroups : [];
      const sharing = [...new Set([own, ...others, ...groups, ...unknown])].flatMap(within);
      stacks = [...new Set(sharing.flatMap((one) => one.stacks))].sort(compareNatural);
      found.set(key, stacks);
    }
    return stacks;
  };
}

/**
 * The service, the stacks and the dependencies of all access changes of a project or group. `service` is undefined if no
 * change names a service.
 */
interface SummedEntries {
  readonly service: string | undefined;
  readonly stacks: readonly string[];
  /** The projects and groups whose members also have access to this project or group. */
  readonly dependsOn: readonly string[];
}

const summed = (entries: readonly (ReportAccess | ReportAccessBasis)[]): SummedEntries[] =>
  [...groupBy(entries, ({ service }) => service)].map(([service, all]) => ({
    service,
    stacks: stacksOf(all),
    dependsOn: [...new Set(all.flatMap(({ depends_on: groups }) => (groups ?? []) as readonly string[]))],
  }));

/**
 * The entry in `dependsOn` for unknown groups. If the plan did not read which groups have access to a project, every group
 * counts.
 */
const ANY_GROUP = "group *";

/** Returns the groups that contain a project or group, such as `group acme` for `project acme/web`. */
const groupsAbove = (container: string): string[] =>
  pathsAbove(container.slice(container.indexOf(" ") + 1)).map((path) => `group ${path}`);

/** Returns the paths of the groups that contain the project or group with this path. */
const pathsAbove = (path: string): string[] =>
  path.split("/").flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join("/")]));

/** The reason, in plans and in drift, why the combined effect of several stacks is not counted. */
const ON_ITS_OWN = "each stack is compared on its own";

function mergedPlace(
  group: readonly [ReportAccess, ...ReportAccess[]],
  sharing: readonly string[],
): ReportAccess {
  const [first] = group;
  const own = group.flatMap((one) => one.not_counted).filter(({ why }) => why !== ON_ITS_OWN);
  const together = { what: `the joint effect of the stacks ${sharing.join(", ")}`, why: ON_ITS_OWN };
  const notes = unique(group.flatMap((one) => one.notes ?? []));
  const changes = [...new Set(group.flatMap((one) => one.changes ?? []))];
  const merged: ReportAccess = {
    ...of(stacksOf(group)),
    ...placeIn(first),
    ...(first.service !== undefined && { service: first.service }),
    gains: namesOf(group.map(({ gains }) => gains)),
    loses: namesOf(group.map(({ loses }) => loses)),
    ...(notes.length > 0 && { notes }),
    rules: unique(group.flatMap(({ rules }) => rules)),
    not_counted: [...unique(own), ...(sharing.length < 2 ? [] : [together])],
    text: first.text,
    ...(changes.length > 0 && { changes }),
  };
  const isSame = group.length === 1 && merged.not_counted.length === first.not_counted.length;
  return isSame ? merged : withText(merged);
}

const unique = <T>(all: readonly T[]): T[] =>
  all.length < 2 ? [...all] : [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];

/**
 * Merges the names for each ability, without duplicates. Names from several stacks are sorted, with groups and projects
 * before people.
 */
function namesOf(all: readonly ReportAccess["gains"][]): ReportAccess["gains"] {
  const abilities = [...new Set(all.flatMap(Object.keys))];
  const merged = (ability: string) => [...new Set(all.flatMap((names) => names[ability] ?? []))];
  return Object.fromEntries(
    abilities.map((ability) => [ability, all.length === 1 ? merged(ability) : merged(ability).sort(byKind)]),
  );
}

const byKind = (one: string, other: string): number => (sortKey(one) < sortKey(other) ? -1 : 1);
const sortKey = (name: string): string =>
  /^(?:every project$|group |project )/.test(name) ? name : `user ${name}`;

/** Returns the rights that a token needs to apply the plan of a stack. */
export const rightEntries = (
  { rights, notKnown }: RightsReport,
  stack: string | undefined,
): ReportRight[] => [
  ...rights.map(({ kind, name, at, has }) => ({
    ...defined({ stack }),
    [kind]: name,
    ...(at !== undefined && { [at.kind]: at.name }),
    has: has ?? null,
  })),
  ...notKnown.map(({ what, why }) => defined({ stack, not_known: what, why })),
];

/** Merges the rights of all stacks. After the merge, each right occurs once, with the stacks that need the right. */
export const mergeRights = (all: readonly ReportRight[]): ReportRight[] =>
  groupsOf(all, ({ stack, stacks, ...right }) => JSON.stringify(right)).map((same) => {
    const { stack, stacks, ...right } = same[0];
    return { ...of(stacksOf(same)), ...(right as ReportRight) };
  });

/**
 * Returns the requests that an apply will send, each with its object. `not_known` gives the reason if the requests of an object
 * can't be known.
 */
export const describeRequests = (
  steps: readonly RehearsedStep[],
  stack: string | undefined,
): NonNullable<Report["requests"]> =>
  steps.flatMap(({ address, requests, why }) => {
    const named = defined({ stack, address });
    return [
      ...requests.map((request) => ({ ...named, ...request })),
      ...(why === undefined ? [] : [{ ...named, not_known: why }]),
    ];
  });
