import type { Graph } from "../graph/graph";
import type { Node } from "../run/declarations";

/**
 * The resources whose replacement is made before the old object ends: those that say so, and all that they depend on,
 * since what they need has to be there before them and to go after them.
 */
export function createdBeforeDestroyed(graph: Graph<Node>): Set<string> {
  const asking = graph.ids.filter((id) => {
    const node = graph.value(id);
    return node?.kind === "resource" && node.declaration.lifecycle.createBeforeDestroy;
  });
  return graph.closure(asking);
}
