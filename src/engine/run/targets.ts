import { fail } from "../../diagnostics";
import type { Graph } from "../graph/graph";
import { type Node, providerNode } from "./declarations";
import type { StateObject } from "./objects";
import type { StackRun } from "./stack-run";

/** What `--target` selects; everything without it. */
export interface Targets {
  /** The targeted declarations and their dependencies. */
  graph(graph: Graph<Node>): Graph<Node>;
  /** Whether an instance or an object of the state is selected, by its address. */
  object(address: string): boolean;
}

/** The address of an instance's resource. */
export const withoutKey = (address: string): string =>
  address.replace(/\[(?:[0-9]+|"(?:[^"\\]|\\.)*")\]$/, "");

export function selectTargets(
  run: StackRun,
  objects: ReadonlyMap<string, StateObject[]>,
  { destroys = false } = {},
): Targets {
  const targets = run.context.targets ?? [];
  if (targets.length === 0) return { graph: (graph) => graph, object: () => true };
  for (const target of targets) {
    const address = withoutKey(target);
    if (!run.graph.has(address) && !objects.has(address)) unknownTarget(target);
  }
  const resources = targets.map(withoutKey);
  // Only its provider relates an undeclared object to the graph.
  const providers = resources.flatMap((address) =>
    run.graph.has(address) ? [] : (objects.get(address) ?? []).map(({ provider }) => providerNode(provider)),
  );
  const declarations = run.graph.closure([...resources, ...providers]);
  const isNamed = (address: string) => targets.includes(withoutKey(address)) || targets.includes(address);
  const graph = (whole: Graph<Node>) =>
    whole.subgraph(new Set([...declarations, ...outputsOf(whole, declarations)]));
  if (destroys) {
    const deleted = dependents(new Set(resources), objects);
    return {
      graph: (whole) => whole.subgraph(whole.closure([...declarations, ...deleted])),
      object: (address) => {
        const resource = withoutKey(address);
        return resources.includes(resource) ? isNamed(address) : deleted.has(resource);
      },
    };
  }
  return {
    graph,
    object(address) {
      const resource = withoutKey(address);
      return resources.includes(resource) ? isNamed(address) : declarations.has(resource);
    },
  };
}

/**
 * The resources that depend on these according to the state, including themselves: they are deleted first.
 */
function dependents(
  resources: ReadonlySet<string>,
  objects: ReadonlyMap<string, StateObject[]>,
): Set<string> {
  const found = new Set(resources);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [address, all] of objects) {
      const depends = all.some(({ instance }) => instance.dependencies.some((one) => found.has(one)));
      if (depends) found.add(address);
    }
  }
  return found;
}

/** Outputs that depend only on targets are updated as well. */
const outputsOf = (graph: Graph<Node>, declarations: ReadonlySet<string>): string[] =>
  graph.ids.filter(
    (id) =>
      id.startsWith("output.") &&
      graph.dependenciesOf(id).length > 0 &&
      graph.dependenciesOf(id).every((dependency) => declarations.has(dependency)),
  );

const unknownTarget = (target: string): never =>
  fail({
    code: "unknown_target",
    summary: "Unknown target",
    detail: `--target ${target} is neither in the configuration nor in the state. Check the address; \`steward show\` lists the objects in the state.`,
  });
