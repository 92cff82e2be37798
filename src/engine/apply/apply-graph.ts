import type { Graph } from "../graph/graph";
import type { Plan } from "../plan/plan";
import { isChange, type Step } from "../plan/steps";
import { addProviders, type Node, providerNode } from "../run/declarations";
import { resourceAddress } from "../state/address";

/** A declaration, or the end of one object. */
export type ApplyNode = Node | { readonly kind: "destroy"; readonly step: Step };

export const destroyNode = (address: string): string => `destroy ${address}`;

const endsObject = ({ change: { action } }: Step): boolean =>
  action === "delete" || action === "delete-then-create";

/** What the resource of a step is called, without keys of its own. */
export const resourceOf = ({ change }: Step): string =>
  resourceAddress({ mode: change.mode, type: change.type, name: change.name });

/**
 * Adds the ends of objects to the graph of declarations, as Terraform orders them: an object ends after those that
 * depend on it, before its own replacement begins, and before what depended on it is changed.
 */
export function applyGraph(declarations: Graph<Node>, plan: Plan): Graph<ApplyNode> {
  const graph = declarations as Graph<ApplyNode>;
  const ends = plan.steps.filter(endsObject);
  addProviders(
    declarations,
    ends.map(({ provider }) => provider),
  );
  const endsOf = new Map<string, string[]>();
  for (const step of ends) {
    const id = destroyNode(step.change.address);
    graph.add(id, { kind: "destroy", step }, [providerNode(step.provider)]);
    const known = endsOf.get(resourceOf(step));
    if (known === undefined) endsOf.set(resourceOf(step), [id]);
    else known.push(id);
  }
  for (const step of plan.steps.filter(isChange)) {
    const own = endsObject(step) ? destroyNode(step.change.address) : undefined;
    if (own !== undefined && step.declared !== undefined) graph.connect(resourceOf(step), own);
    for (const dependency of step.object?.instance.dependencies ?? []) {
      for (const end of endsOf.get(dependency) ?? []) {
        if (own !== undefined) graph.connect(end, own);
        else if (step.declared !== undefined) graph.connect(resourceOf(step), end);
      }
    }
  }
  if (plan.mode !== "destroy") return graph;
  return graph.only(graph.closure(ends.map(({ change }) => destroyNode(change.address))));
}
