import { objectName, resourceAddress } from "../../language";
import type { Graph } from "../graph/graph";
import { addProviders, type Node, providerNode } from "../run/declarations";
import type { ExecutablePlan } from "../steps/executable-plan";
import { deletesObject, isChange, type Step } from "../steps/steps";

/** A declaration, or the delete of one object. */
export type ApplyNode = Node | { readonly kind: "destroy"; readonly step: Step };

export const destroyNode = ({ change: { address, deposed } }: Step): string =>
  `destroy ${objectName(address, deposed)}`;

const createsOrUpdates = (step: Step): boolean => isChange(step) && step.declared !== undefined;

/** The address of a step's resource, without a key. */
export const resourceOf = ({ change }: Step): string =>
  resourceAddress({ mode: change.mode, type: change.type, name: change.name });

/**
 * Adds deletes to the graph of declarations in Terraform's order: an object is deleted after its dependents
 * are, before its replacement is created, and before its dependents and dependencies are changed. With
 * `create_before_destroy` it is deleted after all these changes. If the identity of a new object is unknown,
 * deletes of its type come after it: one of them may be the same object.
 */
export function applyGraph(declarations: Graph<Node>, plan: ExecutablePlan): Graph<ApplyNode> {
  const graph = declarations as Graph<ApplyNode>;
  const deletes = plan.steps.filter(deletesObject);
  addProviders(
    declarations,
    deletes.map(({ provider }) => provider),
  );
  const deletesByResource = new Map<string, Step[]>();
  for (const step of deletes) {
    graph.add(destroyNode(step), { kind: "destroy", step }, [providerNode(step.provider)]);
    const known = deletesByResource.get(resourceOf(step));
    if (known === undefined) deletesByResource.set(resourceOf(step), [step]);
    else known.push(step);
  }
  const changed = new Set(plan.steps.filter(createsOrUpdates).map(resourceOf));
  /** Orders the change of a resource and the delete of an object. */
  const connectInOrder = (resource: string, deletion: Step) => {
    if (!changed.has(resource)) return;
    if (deletion.createBeforeDestroy) graph.connect(destroyNode(deletion), resource);
    // Resources that the provider of the delete is configured from can't wait for that delete.
    else if (!graph.closure([providerNode(deletion.provider)]).has(resource))
      graph.connect(resource, destroyNode(deletion));
  };
  for (const step of plan.steps.filter(isChange)) {
    const own = deletesObject(step) ? step : undefined;
    const isReplaced = step.declared !== undefined || step.change.deposed !== undefined;
    if (own !== undefined && isReplaced) connectInOrder(resourceOf(step), own);
    for (const dependency of step.object?.instance.dependencies ?? []) {
      for (const deletion of deletesByResource.get(dependency) ?? []) {
        if (own !== undefined) graph.connect(destroyNode(deletion), destroyNode(own));
        if (step.declared !== undefined) connectInOrder(resourceOf(step), deletion);
      }
      if (own !== undefined) connectInOrder(dependency, own);
    }
  }
  for (const created of plan.steps) {
    const { deletesAfter = [] } = created;
    const resource = resourceOf(created);
    for (const deletion of deletes) {
      if (!deletesAfter.includes(deletion.change.type)) continue;
      if (!graph.closure([resource]).has(destroyNode(deletion)))
        graph.connect(destroyNode(deletion), resource);
    }
  }
  if (plan.mode !== "destroy") return graph;
  return graph.subgraph(graph.closure(deletes.map(destroyNode)));
}
