import type { AccessAbility, AccessHolder, AccessPlace, AccessReport, AccessTarget } from "../../engine";
import type { ReportRight } from "../document/model";

/** The stacks that something is about; none for a configuration that is not a stack of an app. */
interface OfStacks {
  readonly stacks: readonly string[];
}

/** Something of one stack. */
interface InStack<T> {
  readonly stack: string | undefined;
  readonly item: T;
}

/** Equal items once, in their order, with the names of all their stacks. */
const mergedByStack = <T extends object>(all: readonly InStack<T>[]): (T & OfStacks)[] =>
  groupBy(all, ({ item }) => JSON.stringify(item)).map((group) => ({
    ...group[0].item,
    stacks: stackNames(group),
  }));

const stackNames = (all: readonly Pick<InStack<unknown>, "stack">[]): string[] => [
  ...new Set(all.flatMap(({ stack }) => stack ?? [])),
];

/** Items with equal keys together, in the order of the first ones. */
export function groupBy<T>(all: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of all) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

type NotCounted = AccessReport["notCounted"][number];

/** The access changes of one stack; without a name for a configuration that is not a stack of an app. */
export interface StackAccess {
  readonly stack: string | undefined;
  readonly access: AccessReport;
}

/** The access changes of a run: each place once, with the stacks that change it. */
export interface MergedAccess extends AccessReport {
  readonly places: readonly (AccessPlace & OfStacks)[];
  readonly notCounted: readonly (NotCounted & OfStacks)[];
}

/**
 * The access changes of all stacks in one report, in which everybody gains and loses once. Each stack is planned on its own, so
 * what several stacks change in one project or group together is not counted: one may add a member, and another one
 * change what members may do.
 */
export function mergeAccess(all: readonly StackAccess[]): MergedAccess {
  const places = all.flatMap(({ stack, access }) => access.places.map((item) => ({ stack, item })));
  const sharing = stacksByContainer(all);
  return {
    places: groupBy(places, numbered(places)).map((group) =>
      mergedPlace(group, sharing.get(containerKey(group[0].item.container))!),
    ),
    notCounted: mergedByStack(
      all.flatMap(({ stack, access }) => access.notCounted.map((item) => ({ stack, item }))),
    ),
  };
}

function mergedPlace(
  group: readonly [InStack<AccessPlace>, ...InStack<AccessPlace>[]],
  sharing: readonly string[],
): MergedAccess["places"][number] {
  const [{ item: first }, ...others] = group;
  const place = others.reduce((one, { item }) => mergePlaces(one, item), first);
  const together = sharing.length < 2 ? [] : [notTogether(sharing)];
  return { ...place, stacks: stackNames(group), notCounted: [...place.notCounted, ...together] };
}

const containerKey = ({ kind, name }: AccessTarget): string => JSON.stringify([kind, name]);

/**
 * The stacks that change something in each container. Who becomes a member of a group is a member of everything below it, so
 * a stack that changes a group's members changes what is below as well.
 */
function stacksByContainer(all: readonly StackAccess[]): ReadonlyMap<string, readonly string[]> {
  const containers = all.flatMap(({ stack, access: { places, touched = [] } }) =>
    [...touched, ...places.map(({ container }) => container)].map((item) => ({ stack, item })),
  );
  const inside = groupBy(containers, ({ item }) => containerKey(item));
  const byKey = new Map(inside.map((group) => [containerKey(group[0].item), group]));
  return new Map(
    inside.map((group) => {
      const { name } = group[0].item;
      const above = pathsAbove(name).flatMap(
        (path) => byKey.get(containerKey({ kind: GROUP, name: path })) ?? [],
      );
      return [containerKey(group[0].item), stackNames([...group, ...above])];
    }),
  );
}

/** The kind of containers that contain others. */
const GROUP = "group";

/** The paths of the groups above a path. */
export const pathsAbove = (path: string): string[] =>
  path.split("/").flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join("/")]));

/** Different stacks have places of one key. Those of one stack stay apart, by their numbers. */
function numbered(places: readonly InStack<AccessPlace>[]): (place: InStack<AccessPlace>) => string {
  const seen = new Map<string, number>();
  const keys = new Map(
    places.map((place) => {
      const { item, stack } = place;
      const abilities = item.abilities.map(({ name }) => name);
      const key = JSON.stringify([
        containerKey(item.container),
        item.target?.kind,
        item.target?.name,
        abilities,
      ]);
      const inStack = JSON.stringify([stack, key]);
      const number = seen.get(inStack) ?? 0;
      seen.set(inStack, number + 1);
      return [place, `${number} ${key}`] as const;
    }),
  );
  return (place) => keys.get(place)!;
}

/** What is not counted in a place of several stacks, be it planned or drift. */
export const notTogether = (stacks: readonly string[]): NotCounted => ({
  what: `the joint effect of the stacks ${stacks.join(", ")}`,
  why: "each stack is compared on its own",
});

function mergePlaces(one: AccessPlace, other: AccessPlace): AccessPlace {
  const names = [...new Set([...one.abilities, ...other.abilities].map(({ name }) => name))];
  const rules = new Map([...one.rules, ...other.rules].map((rule) => [JSON.stringify(rule), rule]));
  const notCounted = new Map(
    [...one.notCounted, ...other.notCounted].map((reason) => [JSON.stringify(reason), reason]),
  );
  return {
    ...one,
    abilities: names.map((name) => mergeAbilities(name, abilitiesNamed(name, one, other))),
    rules: [...rules.values()],
    notCounted: [...notCounted.values()],
    changes: [...new Set([...(one.changes ?? []), ...(other.changes ?? [])])],
  };
}

const abilitiesNamed = (name: string, ...places: readonly AccessPlace[]): AccessAbility[] =>
  places.flatMap(({ abilities }) => abilities.filter((ability) => ability.name === name));

const mergeAbilities = (name: string, all: readonly AccessAbility[]): AccessAbility => ({
  name,
  before: union(all.map(({ before }) => before)),
  after: union(all.map(({ after }) => after)),
  gains: union(all.map(({ gains }) => gains)),
  loses: union(all.map(({ loses }) => loses)),
});

/** Everybody once, sorted by kind and name. */
function union(lists: readonly (readonly AccessHolder[])[]): AccessHolder[] {
  const byName = new Map(lists.flat().map((holder) => [`${holder.kind} ${holder.name}`, holder]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, holder]) => holder);
}

/** Each right once, with the stacks that need it. */
export function mergeRights(all: readonly ReportRight[]): ReportRight[] {
  const byKey = new Map<string, { readonly right: ReportRight; readonly stacks: Set<string> }>();
  for (const { stack, stacks = [], ...right } of all) {
    const key = JSON.stringify(right);
    const known = byKey.get(key) ?? { right: right as ReportRight, stacks: new Set<string>() };
    for (const name of [...(stack === undefined ? [] : [stack]), ...stacks]) known.stacks.add(name);
    byKey.set(key, known);
  }
  return [...byKey.values()].map(({ right, stacks }) => {
    const [first, ...others] = stacks;
    if (first === undefined) return right;
    return others.length === 0 ? { stack: first, ...right } : { stacks: [...stacks], ...right };
  });
}
