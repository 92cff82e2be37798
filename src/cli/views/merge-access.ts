import type { AccessAbility, AccessHolder, AccessPlace, AccessReport } from "../../engine";
import { groupBy, type InStack, mergedByStack, type OfStacks, stackNames } from "./merge-stacks";

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
  const sharing = new Map(
    groupBy(places, ({ item }) => containerKey(item)).map((group) => [
      containerKey(group[0].item),
      stackNames(group),
    ]),
  );
  return {
    places: groupBy(places, numbered(places)).map((group) =>
      mergedPlace(group, sharing.get(containerKey(group[0].item))!),
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

const containerKey = ({ container }: AccessPlace): string => JSON.stringify([container.kind, container.name]);

/** Different stacks have places of one key. Those of one stack stay apart, by their numbers. */
function numbered(places: readonly InStack<AccessPlace>[]): (place: InStack<AccessPlace>) => string {
  const seen = new Map<string, number>();
  const keys = new Map(
    places.map((place) => {
      const { item, stack } = place;
      const abilities = item.abilities.map(({ name }) => name);
      const key = JSON.stringify([containerKey(item), item.target?.kind, item.target?.name, abilities]);
      const inStack = JSON.stringify([stack, key]);
      const number = seen.get(inStack) ?? 0;
      seen.set(inStack, number + 1);
      return [place, `${number} ${key}`] as const;
    }),
  );
  return (place) => keys.get(place)!;
}

const notTogether = (stacks: readonly string[]): NotCounted => ({
  what: `what the stacks ${stacks.join(", ")} change here together`,
  why: "each stack is planned on its own",
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
