import type { Graph } from "../graph/graph";
import type { Node } from "./declarations";

/**
 * For each managed resource of a configuration, the managed resources that it refers to: directly, or through locals and data
 * sources, but not through other managed resources. Sorted by address.
 */
export function managedDependencies(graph: Graph<Node>): Map<string, readonly string[]> {
  const isManaged = (id: string): boolean => {
    const node = graph.value(id);
    return node?.kind === "resource" && node.declaration.mode === "managed";
  };
  return dependenciesBetween(graph.ids, (id) => graph.dependenciesOf(id), isManaged);
}

/** The ids of one kind that each of them reaches without passing another of that kind. */
export function dependenciesBetween(
  ids: Iterable<string>,
  dependenciesOf: (id: string) => readonly string[],
  isKind: (id: string) => boolean,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const id of ids) if (isKind(id)) found.set(id, reached(id, dependenciesOf, isKind));
  return found;
}

function reached(
  start: string,
  dependenciesOf: (id: string) => readonly string[],
  isKind: (id: string) => boolean,
): string[] {
  const seen = new Set([start]);
  const found: string[] = [];
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const next of dependenciesOf(id)) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (isKind(next)) found.push(next);
      else open.push(next);
    }
  }
  return found.sort();
}
