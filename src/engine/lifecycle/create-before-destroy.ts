import type { StackRun } from "../run/stack-run";

/**
 * The resources whose replacement is created before the old object is destroyed: those with
 * `create_before_destroy` and, as in Terraform, all their dependencies.
 */
export function createBeforeDestroyResources({ context, graph }: StackRun): Set<string> {
  const configured: string[] = [];
  for (const { address, lifecycle } of context.configuration.resources.values())
    if (lifecycle.createBeforeDestroy) configured.push(address);
  return graph.closure(configured);
}
