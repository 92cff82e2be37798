import type { Resolution } from "../../framework";
import type { Graph } from "../graph/graph";
import { type Visited, type WalkOptions, walk } from "../graph/walk";
import { VISIT_CONCURRENCY } from "./context";
import type { Node } from "./declarations";
import type { StackRun } from "./stack-run";

type Visit<N> = (node: N, id: string) => Resolution<Visited>;
type Kind = Exclude<Node["kind"], "local">;

/** What a walk does with each kind of declarations. By default providers are configured, and others are done at once. */
export type Visitor = { readonly [K in Kind]?: Visit<Extract<Node, { readonly kind: K }>> };

/** Visits a node. Locals are evaluated in every walk. */
export function visitNode(run: StackRun, visitor: Visitor, id: string, node: Node): Resolution<Visited> {
  if (node.kind === "local") return run.visitLocal(node.name, node);
  const visit = visitor[node.kind] as Visit<Node> | undefined;
  if (visit !== undefined) return visit(node, id);
  return node.kind === "provider" ? run.visitProvider(node) : "done";
}

/** Walks a graph. What a visit throws is its failure: everything else is still visited. */
export const walkGuarded = <N>(
  run: StackRun,
  graph: Graph<N>,
  visit: (id: string, node: N) => Resolution<Visited>,
  options: Partial<WalkOptions> = {},
): ReturnType<typeof walk> =>
  walk(graph, visit, {
    concurrency: VISIT_CONCURRENCY,
    recover: (id, problem) => run.recover(id, problem),
    ...options,
  });

/** The options of walks that users can limit and interrupt. */
export function limitsOfWalk({ context }: Pick<StackRun, "context">): WalkOptions {
  const { parallelism = 0, stop: signal, failFast } = context;
  return { concurrency: Math.max(parallelism, VISIT_CONCURRENCY), signal, failFast };
}
