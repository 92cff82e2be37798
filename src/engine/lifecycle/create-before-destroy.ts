import type { Graph } from "../graph/graph";
import type { Node } from "../run/declarations";

/**
 * The resources whose replacement is created before the old object is destroyed: those with
 * `create_before_destroy` and, as in Terraform, all their dependencies.
 */
export function createBeforeDestroyResources(graph: Graph<Node>): Set<string> {
  const configured = graph.ids.filter((id) => {
    const node = graph.value(id);
    return node?.kind === "resource" && node.declaration.lifecycle.createBeforeDestroy;
  });
  return graph.closure(configured);
}
