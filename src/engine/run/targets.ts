import { fail } from "../../diagnostics";
import type { Graph } from "../graph/graph";
import { type Node, providerNode } from "./declarations";
import type { StateObject } from "./objects";
import type { StackRun } from "./stack-run";

/** What `--target` leaves to be worked on; everything, without one. */
export interface Targets {
  /** The declarations that are targeted, and what they depend on. */
  graph(graph: Graph<Node>): Graph<Node>;
  /** Whether an instance or an object of the state, by its address, is worked on. */
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
  const named = targets.map(withoutKey);
  // What is not declared any more is reached by its provider alone.
  const providers = named.flatMap((address) =>
    run.graph.has(address) ? [] : (objects.get(address) ?? []).map(({ provider }) => providerNode(provider)),
  );
  const declarations = run.graph.closure([...named, ...providers]);
  const isNamed = (address: string) => targets.includes(withoutKey(address)) || targets.includes(address);
  const graph = (whole: Graph<Node>) =>
    whole.subgraph(new Set([...declarations, ...outputsOf(whole, declarations)]));
  if (destroys) {
    const ending = dependents(new Set(named), objects);
    return {
      graph: (whole) => whole.subgraph(whole.closure([...declarations, ...ending])),
      object: (address) => {
        const resource = withoutKey(address);
        return named.includes(resource) ? isNamed(address) : ending.has(resource);
      },
    };
  }
  return {
    graph,
    object(address) {
      const resource = withoutKey(address);
      return named.includes(resource) ? isNamed(address) : declarations.has(resource);
    },
  };
}

/** The resources that depend on these by what the state says of their objects, themselves included: they end before. */
function dependents(named: ReadonlySet<string>, objects: ReadonlyMap<string, StateObject[]>): Set<string> {
  const found = new Set(named);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [address, all] of objects) {
      const depends = all.some(({ instance }) => instance.dependencies.some((one) => found.has(one)));
      if (depends) found.add(address);
    }
  }
  return found;
}

/** Outputs that need nothing beyond the targets are kept up to date as well. */
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
