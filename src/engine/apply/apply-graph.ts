import { objectName, resourceAddress } from "../../language";
import { groupBy } from "../../schema";
import { withoutKey } from "../declarations/address-keys";
import { addProviders, type Node, providerNode } from "../declarations/declarations";
import type { Graph } from "../declarations/graph";
import { type ExecutablePlan, isChange, isObjectDelete, type Step } from "../steps/steps";

/** A node of the graph for an apply: a declaration, or the delete of one object. */
export type ApplyNode =
  | Node
  | { readonly kind: "destroy"; readonly step: Step }
  /**
   * A node without work. A junction connects many nodes with their many dependents. Without the junction, each
   * dependent would need an edge to each node.
   */
  | { readonly kind: "junction" };

export const destroyNode = ({ change: { address, deposed } }: Step): string =>
  `destroy ${objectName(address, deposed)}`;

const dependentsOf = (resource: string): string => `dependents of ${resource}`;

const isCreateOrUpdate = (step: Step): boolean => isChange(step) && step.declared !== undefined;

/** Returns the address of a step's resource, without a key. */
export const resourceOf = ({ change, object }: Step): string =>
  resourceAddress({
    mode: change.mode,
    type: change.type,
    name: change.name,
    ...(object?.resource.module !== undefined && { module: object.resource.module }),
  });

/**
 * Adds deletes to the graph of declarations in Terraform's order. An object is deleted after its dependents are deleted. Only
 * then its replacement is created, and its dependents and dependencies change. With `create_before_destroy`, the object is
 * deleted after all these changes. A new object with an unknown identity is created before deletes of its type, because a delete
 * may be for the same object.
 */
export function applyGraph(declarations: Graph<Node>, plan: ExecutablePlan): Graph<ApplyNode> {
  const graph = declarations as Graph<ApplyNode>;
  const deletes = plan.steps.filter(isObjectDelete);
  addProviders(
    declarations,
    deletes.map(({ provider }) => provider),
  );
  const deletesByResource = groupBy(deletes, resourceOf);
  for (const [resource, all] of deletesByResource) {
    const dependents = dependentsOf(resource);
    graph.add(dependents, { kind: "junction" });
    for (const step of all)
      graph.add(destroyNode(step), { kind: "destroy", step }, [providerNode(step.provider), dependents]);
  }
  const changed = new Set(plan.steps.filter(isCreateOrUpdate).map(resourceOf));
  const providerNeeds = new Map<string, Set<string>>();
  /** Returns whether the configuration of a provider depends on a resource. */
  const isNeeded = (provider: string, resource: string): boolean => {
    const known = providerNeeds.get(provider) ?? graph.closure([providerNode(provider)]);
    providerNeeds.set(provider, known);
    return known.has(resource);
  };
  const connect = (id: string, dependency: string): void => {
    graph.connect(id, dependency);
    for (const [provider, needed] of providerNeeds) if (needed.has(id)) providerNeeds.delete(provider);
  };
  /**
   * Connects the change of a resource with the delete of an object. The flag `create_before_destroy` of the delete
   * decides whether the change or the delete comes first.
   */
  const connectInOrder = (resource: string, deletion: Step) => {
    if (!changed.has(resource)) return;
    if (deletion.createBeforeDestroy) connect(destroyNode(deletion), resource);
    // If the configuration of the delete's provider depends on the resource, the change can't wait for the delete.
    else if (!isNeeded(deletion.provider, resource)) connect(resource, destroyNode(deletion));
  };
  const orderedPairs = new Set<string>();
  for (const step of plan.steps.filter(isChange)) {
    const own = isObjectDelete(step) ? step : undefined;
    const isReplaced = step.declared !== undefined || step.change.deposed !== undefined;
    if (own !== undefined && isReplaced) connectInOrder(resourceOf(step), own);
    for (const dependency of step.object?.instance.dependencies ?? []) {
      // After a move, the recorded dependencies of an object can contain the resource that the object now belongs to. This
      // dependency has no effect.
      if (dependency === resourceOf(step)) continue;
      if (own !== undefined && deletesByResource.has(dependency))
        connect(dependentsOf(dependency), destroyNode(own));
      const pair = `${resourceOf(step)} ${dependency}`;
      if (step.declared !== undefined && !orderedPairs.has(pair)) {
        orderedPairs.add(pair);
        for (const deletion of deletesByResource.get(dependency) ?? [])
          connectInOrder(resourceOf(step), deletion);
      }
      if (own !== undefined) connectInOrder(dependency, own);
    }
  }
  deleteAfterCreates(graph, plan.steps, deletes);
  deleteAfterTakeovers(graph, deletes);
  changeAfterAllClients(graph, plan.steps);
  if (plan.mode !== "destroy") return graph;
  return graph.subgraph(graph.closure(deletes.map(destroyNode)));
}

/**
 * Adds edges, so that deletes come after the creates of objects with an unknown identity. A delete gets no edge to a
 * create that waits for this delete.
 */
function deleteAfterCreates(graph: Graph<ApplyNode>, steps: readonly Step[], deletes: readonly Step[]): void {
  const created = [
    ...groupBy(
      steps.filter(({ deletesAfter = [] }) => deletesAfter.length > 0),
      resourceOf,
    ),
  ];
  if (created.length === 0) return;
  const byType = groupBy(deletes, ({ change }) => change.type);
  const waiting = graph.dependents(deletes.map(destroyNode));
  const typesOf = ([step]: readonly Step[]) => (step?.deletesAfter ?? []).filter((type) => byType.has(type));
  for (const [resource, all] of created)
    for (const type of waiting.has(resource) ? [] : typesOf(all)) {
      const junction = `creates before deletes of ${type}`;
      if (!graph.has(junction)) {
        graph.add(junction, { kind: "junction" });
        for (const deletion of byType.get(type)!) graph.connect(destroyNode(deletion), junction);
      }
      graph.connect(junction, resource);
    }
  for (const [resource, all] of created) {
    if (!waiting.has(resource)) continue;
    const needed = graph.closure([resource]);
    for (const deletion of typesOf(all).flatMap((type) => byType.get(type)!))
      if (!needed.has(destroyNode(deletion))) graph.connect(destroyNode(deletion), resource);
  }
}

/**
 * Adds edges, so that an object is deleted after other addresses have taken over parts of the object. A delete gets no
 * edge to an address that waits for this delete.
 */
function deleteAfterTakeovers(graph: Graph<ApplyNode>, deletes: readonly Step[]): void {
  const handedOver = deletes.filter(({ handedTo = [] }) => handedTo.length > 0);
  if (handedOver.length === 0) return;
  const waiting = graph.dependents(deletes.map(destroyNode));
  for (const step of handedOver)
    for (const resource of new Set(step.handedTo!.map(withoutKey))) {
      if (!graph.has(resource)) continue;
      const isWaiting = waiting.has(resource) && graph.closure([resource]).has(destroyNode(step));
      if (!isWaiting) graph.connect(destroyNode(step), resource);
    }
}

const CLIENTS = "clients of the run";

/**
 * Adds edges, so that changes come after all provider configurations that depend on no resource. Several configurations can lead
 * to one service, and each must announce its declarations before the first change.
 */
function changeAfterAllClients(graph: Graph<ApplyNode>, steps: readonly Step[]): void {
  const keys = new Set(
    steps.filter(({ change }) => change.mode === "managed").map(({ provider }) => provider),
  );
  const free = [...keys].map(providerNode).filter((node) => {
    const needed = graph.has(node) ? [...graph.closure([node])] : [];
    return needed.length > 0 && needed.every((id) => graph.value(id)?.kind !== "resource");
  });
  if (free.length < 2) return;
  graph.add(CLIENTS, { kind: "junction" }, free);
  for (const step of steps.filter(isChange)) {
    if (graph.has(resourceOf(step))) graph.connect(resourceOf(step), CLIENTS);
    if (isObjectDelete(step)) graph.connect(destroyNode(step), CLIENTS);
  }
}
