import { fail } from "../../diagnostics";
import type { Graph } from "../graph/graph";
import type { Node } from "./declarations";
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

export function selectTargets(run: StackRun, objects: ReadonlyMap<string, StateObject[]>): Targets {
  const targets = run.context.targets ?? [];
  if (targets.length === 0) return { graph: (graph) => graph, object: () => true };
  for (const target of targets) {
    const address = withoutKey(target);
    if (!run.graph.has(address) && !objects.has(address)) unknownTarget(target);
  }
  const named = targets.map(withoutKey);
  const declarations = run.graph.closure(named);
  return {
    graph: (graph) => graph.only(new Set([...declarations, ...outputsOf(graph, declarations)])),
    object(address) {
      const resource = withoutKey(address);
      if (!named.includes(resource)) return declarations.has(resource);
      return targets.includes(resource) || targets.includes(address);
    },
  };
}

/** Outputs that need nothing beyond the targets are kept up to date as well. */
const outputsOf = (graph: Graph<Node>, declarations: ReadonlySet<string>): string[] =>
  graph.ids.filter(
    (id) =>
      id.startsWith("output.") &&
      graph.dependenciesOf(id).every((dependency) => declarations.has(dependency)),
  );

const unknownTarget = (target: string): never =>
  fail({
    code: "unknown_target",
    summary: "Unknown target",
    detail: `--target ${target} is neither in the configuration nor in the state. Check the address; \`steward show\` lists those in the state.`,
  });
