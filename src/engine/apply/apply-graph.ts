import { objectName, resourceAddress } from "../../language";
import type { Graph } from "../graph/graph";
import { addProviders, type Node, providerNode } from "../run/declarations";
import type { ExecutablePlan } from "../steps/executable-plan";
import { endsObject, isChange, type Step } from "../steps/steps";

/** A declaration, or the end of one object. */
export type ApplyNode = Node | { readonly kind: "destroy"; readonly step: Step };

export const destroyNode = ({ change: { address, deposed } }: Step): string =>
  `destroy ${objectName(address, deposed)}`;

const makesObject = (step: Step): boolean => isChange(step) && step.declared !== undefined;

/** What the resource of a step is called, without keys of its own. */
export const resourceOf = ({ change }: Step): string =>
  resourceAddress({ mode: change.mode, type: change.type, name: change.name });

/**
 * Adds the ends of objects to the graph of declarations, as Terraform orders them: an object ends after those that
 * depend on it, before its own replacement begins, and before what depends on it, or it on, is changed. One that is
 * replaced by an object created before ends after all these changes instead. Where it isn't known yet what a new object
 * will be, others of its type end after it: they may be the same.
 */
export function applyGraph(declarations: Graph<Node>, plan: ExecutablePlan): Graph<ApplyNode> {
  const graph = declarations as Graph<ApplyNode>;
  const ends = plan.steps.filter(endsObject);
  addProviders(
    declarations,
    ends.map(({ provider }) => provider),
  );
  const endsOf = new Map<string, Step[]>();
  for (const step of ends) {
    graph.add(destroyNode(step), { kind: "destroy", step }, [providerNode(step.provider)]);
    const known = endsOf.get(resourceOf(step));
    if (known === undefined) endsOf.set(resourceOf(step), [step]);
    else known.push(step);
  }
  const changed = new Set(plan.steps.filter(makesObject).map(resourceOf));
  /** The change of a resource and the end of an object, in the order that the end asks for. */
  const inTurn = (resource: string, end: Step) => {
    if (!changed.has(resource)) return;
    if (end.createsBeforeDestroying) graph.connect(destroyNode(end), resource);
    // What the end's own provider is configured from can't wait for that end.
    else if (!graph.closure([providerNode(end.provider)]).has(resource))
      graph.connect(resource, destroyNode(end));
  };
  for (const step of plan.steps.filter(isChange)) {
    const own = endsObject(step) ? step : undefined;
    const isReplaced = step.declared !== undefined || step.change.deposed !== undefined;
    if (own !== undefined && isReplaced) inTurn(resourceOf(step), own);
    for (const dependency of step.object?.instance.dependencies ?? []) {
      for (const end of endsOf.get(dependency) ?? []) {
        if (own !== undefined) graph.connect(destroyNode(end), destroyNode(own));
        if (step.declared !== undefined) inTurn(resourceOf(step), end);
      }
      if (own !== undefined) inTurn(dependency, own);
    }
  }
  for (const arriving of plan.steps) {
    const { endsWaiting = [] } = arriving;
    const resource = resourceOf(arriving);
    for (const end of ends) {
      if (!endsWaiting.includes(end.change.type)) continue;
      if (!graph.closure([resource]).has(destroyNode(end))) graph.connect(destroyNode(end), resource);
    }
  }
  if (plan.mode !== "destroy") return graph;
  return graph.only(graph.closure(ends.map(destroyNode)));
}
