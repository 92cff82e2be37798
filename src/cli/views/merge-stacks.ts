/** The stacks that something is about; none for a configuration that is not a stack of an app. */
export interface OfStacks {
  readonly stacks: readonly string[];
}

/** Something of one stack. */
export interface InStack<T> {
  readonly stack: string | undefined;
  readonly item: T;
}

/** Equal items once, in their order, with the names of all their stacks. */
export const mergedByStack = <T extends object>(all: readonly InStack<T>[]): (T & OfStacks)[] =>
  groupBy(all, ({ item }) => JSON.stringify(item)).map((group) => ({
    ...group[0].item,
    stacks: stackNames(group),
  }));

export const stackNames = (all: readonly Pick<InStack<unknown>, "stack">[]): string[] => [
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
