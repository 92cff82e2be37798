import path from "node:path";
import { type Configuration, compareText, type Expression, type ResourceDeclaration } from "../../language";
import { Graph } from "../declarations/graph";
import type { StackEntry } from "./app-files";

/** A part of an app's stacks, such as 3/10: the third of ten parts. */
export interface Shard {
  /** The number of the shard, counted from 1. */
  readonly number: number;
  readonly total: number;
}

/** A stack that is assigned to a shard. */
export interface ShardedStack extends Pick<StackEntry, "name" | "constructPath" | "dependencies"> {
  /**
   * The configuration; undefined if it is invalid. An invalid stack counts as one object, and the run of its shard reports the
   * errors.
   */
  readonly configuration: Configuration | undefined;
}

/**
 * Returns the names of the stacks that all shards process together. Each shard processes some of the containers of such a stack.
 * These stacks have a fleet, depend on no other stack, and no other stack depends on them.
 */
export const dividedStacks = (stacks: readonly ShardedStack[]): ReadonlySet<string> => {
  const withFleet = stacks.filter(({ configuration }) => (configuration?.fleets.size ?? 0) > 0);
  if (withFleet.length === 0) return new Set();
  const alone = new Set(groupsOf(stacks).flatMap(({ names }) => (names.length === 1 ? names : [])));
  return new Set(withFleet.map(({ name }) => name).filter((name) => alone.has(name)));
};

/**
 * Returns the names of the stacks in a shard. Every stack is in exactly one shard, together with its dependencies and its
 * dependents. Within this rule, the shards get similar numbers of declared objects. States are not read, because a state can
 * change between the starts of two jobs. All jobs must calculate the same shards.
 */
export function stacksOfShard(
  stacks: readonly ShardedStack[],
  { number, total }: Shard,
): ReadonlySet<string> {
  const shards = Array.from({ length: total }, () => ({ weight: 0, names: [] as string[] }));
  const heaviestFirst = groupsOf(stacks).sort(
    (one, other) => other.weight - one.weight || compareText(one.names[0]!, other.names[0]!),
  );
  for (const { names, weight } of heaviestFirst) {
    const lightest = shards.reduce((least, shard) => (shard.weight < least.weight ? shard : least));
    lightest.weight += weight;
    lightest.names.push(...names);
  }
  return new Set(shards[number - 1]?.names);
}

/**
 * Returns groups of stacks. The stacks of a group are connected by dependencies. Each group has the names of its
 * stacks, and the number of objects that the stacks declare.
 */
function groupsOf(stacks: readonly ShardedStack[]) {
  const graph = linked(stacks);
  const grouped = new Set<string>();
  return stacks.flatMap(({ constructPath }) => {
    if (grouped.has(constructPath)) return [];
    const group = [...graph.closure([constructPath])].map((path) => graph.value(path)!);
    for (const one of group) grouped.add(one.constructPath);
    return {
      names: group.map(({ name }) => name).sort(compareText),
      weight: group.reduce((sum, { configuration }) => sum + objectCount(configuration), 0),
    };
  });
}

/**
 * Returns a graph that links stacks in both directions: a stack with its dependencies in the app, and with the stacks whose
 * states it reads.
 */
function linked(stacks: readonly ShardedStack[]): Graph<ShardedStack> {
  const graph = new Graph<ShardedStack>();
  for (const stack of stacks) graph.add(stack.constructPath, stack);
  const byState = new Map<string, string[]>();
  for (const { configuration, constructPath } of stacks)
    for (const state of configuration === undefined ? [] : namesOfState(configuration))
      byState.set(state, [...(byState.get(state) ?? []), constructPath]);
  for (const { constructPath, dependencies, configuration } of stacks) {
    const read = statesReadBy(configuration).flatMap((state) => byState.get(state) ?? []);
    for (const other of [...dependencies, ...read]) {
      graph.connect(constructPath, other);
      graph.connect(other, constructPath);
    }
  }
  return graph;
}

/** Returns the names that identify the state of a stack among the states of its app. */
const namesOfState = ({ backend, folder }: Configuration): string[] =>
  namesOf(backend?.type ?? "local", backend?.config ?? {}, folder);

/**
 * Returns the names of a state. A local state has its absolute path and its relative path, because another stack can
 * read the state by either path.
 */
function namesOf(
  backend: unknown,
  { path: file, address }: Readonly<Record<string, unknown>>,
  folder: string,
): string[] {
  if (backend !== "local") return [`${String(backend)} ${String(address)}`];
  const given = typeof file === "string" ? file : "terraform.tfstate";
  const place = `local ${path.resolve(folder, given)}`;
  return typeof file !== "string" || path.isAbsolute(file)
    ? [place]
    : [place, `relative ${path.normalize(file)}`];
}

const statesReadBy = (configuration: Configuration | undefined): string[] =>
  [...(configuration?.resources.values() ?? [])].flatMap(({ mode, type, body }) => {
    if (mode !== "data" || type !== "terraform_remote_state") return [];
    const settings = constantOf(body.get("config"));
    const isKnown = typeof settings === "object" && settings !== null;
    return isKnown
      ? namesOf(constantOf(body.get("backend")), settings as Record<string, unknown>, configuration!.folder)
      : [];
  });

const constantOf = (expression: Expression | undefined): unknown => expression?.constant?.json;

/** Counts the declared objects, because each object needs about one request. Adds one for the requests for the state. */
const objectCount = (configuration: Configuration | undefined): number =>
  1 + [...(configuration?.resources.values() ?? [])].reduce((sum, one) => sum + instanceCount(one), 0);

/** Returns the number of instances of a declaration. Returns 1 if this number is not a constant. */
function instanceCount({ count, forEach }: ResourceDeclaration): number {
  const [number, each] = [constantOf(count), constantOf(forEach)];
  if (typeof number === "number") return number;
  return typeof each === "object" && each !== null ? Object.keys(each).length : 1;
}
