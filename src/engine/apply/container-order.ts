import { groupBy } from "../../schema";
import { compareNatural } from "../../text";
import { type ExecutablePlan, isChange, isObjectDelete, type Step } from "../steps/steps";
import { resourceOf } from "./apply-graph";

/** The order in which the containers of a plan's changes can be applied one after the other. */
export interface ContainerOrder {
  /**
   * The names of containers, in groups. Each group comes after the groups that it needs. The containers of one group
   * need each other, so one apply must change all of them.
   */
  readonly groups: readonly (readonly string[])[];
  /**
   * Pairs of addresses. The change at `address` belongs to a container and needs the change at `needed`. The needed change
   * belongs to no container.
   */
  readonly needOthers: readonly (readonly [address: string, needed: string])[];
}

/**
 * Sorts the containers of planned changes in the order in which one apply makes the changes. A create or update comes after the
 * changes of its dependencies, and a destroy after the changes of its dependents. Independent containers are in natural order.
 */
export function orderContainers({ steps = [] }: Partial<Pick<ExecutablePlan, "steps">>): ContainerOrder {
  const changes = steps.filter(isChange);
  const needs = new Map<string, Set<string>>();
  const needOthers: [string, string][] = [];
  for (const { change } of changes)
    if (change.container !== undefined) needs.set(change.container.name, new Set());
  for (const [later, earlier] of orderedPairs(changes)) {
    const [own, other] = [later.change.container?.name, earlier.change.container?.name];
    if (own === undefined || own === other) continue;
    if (other === undefined) needOthers.push([later.change.address, earlier.change.address]);
    else needs.get(own)!.add(other);
  }
  return { groups: groupsInOrder(needs), needOthers };
}

/** Yields pairs of steps: the first step is applied after the second step. */
function* orderedPairs(changes: readonly Step[]): Generator<readonly [later: Step, earlier: Step]> {
  const declared = groupBy(
    changes.filter((step) => step.declared !== undefined),
    resourceOf,
  );
  const deletes = groupBy(changes.filter(isObjectDelete), resourceOf);
  for (const step of changes) {
    if (step.declared !== undefined)
      for (const resource of step.dependencies)
        for (const needed of declared.get(resource) ?? []) yield [step, needed];
    for (const resource of step.object?.instance.dependencies ?? []) {
      for (const deletion of deletes.get(resource) ?? []) {
        if (isObjectDelete(step)) yield [deletion, step];
        if (step.declared !== undefined)
          yield deletion.createBeforeDestroy ? [deletion, step] : [step, deletion];
      }
      if (isObjectDelete(step))
        for (const changed of declared.get(resource) ?? [])
          yield step.createBeforeDestroy ? [step, changed] : [changed, step];
    }
    for (const type of step.deletesAfter ?? [])
      for (const deletion of changes)
        if (isObjectDelete(deletion) && deletion.change.type === type && deletion !== step)
          yield [deletion, step];
  }
  const byAddress = groupBy(changes, ({ change }) => change.address);
  for (const step of changes)
    for (const address of step.handedTo ?? [])
      for (const taker of byAddress.get(address) ?? []) if (taker !== step) yield [step, taker];
}

/**
 * Returns the strongly connected groups of a graph. Each group comes after the groups that it needs. Groups that do not need
 * each other are in natural order.
 */
function groupsInOrder(needs: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const groupOf = connectedGroups(needs);
  const left = new Set(groupOf.values());
  const done = new Set<readonly string[]>();
  const order: (readonly string[])[] = [];
  const isReady = (group: readonly string[]) =>
    group.every((name) =>
      [...needs.get(name)!].every((other) => groupOf.get(other) === group || done.has(groupOf.get(other)!)),
    );
  const sorted = [...left].sort(([one = ""], [other = ""]) => compareNatural(one, other));
  while (order.length < sorted.length) {
    const next = sorted.find((group) => !done.has(group) && isReady(group))!;
    done.add(next);
    order.push(next);
  }
  return order;
}

/** Returns each node with its group, by Tarjan's algorithm. The members of a group reach each other. */
function connectedGroups(needs: ReadonlyMap<string, ReadonlySet<string>>): Map<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (name: string): void => {
    const number = numbers.size;
    numbers.set(name, number);
    lowest.set(name, number);
    stack.push(name);
    for (const other of needs.get(name)!) {
      if (!numbers.has(other)) visit(other);
      if (!groups.has(other)) lowest.set(name, Math.min(lowest.get(name)!, lowest.get(other)!));
    }
    if (lowest.get(name) !== number) return;
    const group = stack.splice(stack.indexOf(name)).sort(compareNatural);
    for (const one of group) groups.set(one, group);
  };
  for (const name of needs.keys()) if (!numbers.has(name)) visit(name);
  return groups;
}
