import { decide, HELD, NEW, type Neighbour, type PlanDestroyResponse, type Row } from "../../framework";
import { append } from "../../schema";
import type { StackOfApp } from "../stacks/app-stacks";
import { compareStacks } from "../stacks/comparison";
import type { Elsewhere, OtherStacks } from "../stacks/other-stacks";
import type { Step } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";
import { releasedTooEarly } from "./verdict-messages";

/**
 * Decides about new objects that already exist as parts of leaving objects. Also decides about an update if it stops managing a
 * set and another stack declares this set. These decisions depend on the leaving objects of this stack and of the other stacks.
 *
 * @param released addresses of leaving objects, by the addresses of new objects that are parts of them
 */
export async function decideHandOvers(
  { run, steps, others }: PlanGraph,
  released: ReadonlyMap<string, string>,
): Promise<void> {
  const concerned =
    others === undefined ? [...released.keys()].flatMap((one) => steps.get(one) ?? []) : steps.planned;
  for (const step of concerned) {
    const { action, address } = step.change;
    if (action === "create") {
      const from = released.get(address);
      const neighbours = from === undefined ? await leavingOwners(step, others) : [partOf(from)];
      const decision = decide(NEW, neighbours);
      const { verdict, because } = decision;
      if (verdict === "adopt")
        steps.add({ ...step, change: { ...step.change, decision, takesOver: because[0]!.address } });
    } else if (action === "update" && others !== undefined) {
      const { verdict, because } = decide(UPDATED, await waitingStacks(step, others));
      if (verdict === "refuse") run.report([releasedTooEarly(step.change, because)]);
    }
  }
}

const UPDATED: Row = { ...HELD, difference: "update" };

const partOf = (address: string): Neighbour => ({ relation: "part of a leaving object", address });

/**
 * Returns the declarations of other stacks that take over parts of an object. The states of these stacks do not hold the parts
 * yet.
 */
export function takersOf(
  { keptBy, adoptedBy = [] }: PlanDestroyResponse,
  { uncertain, yetToTake }: Pick<Elsewhere, "uncertain" | "yetToTake"> = NOWHERE,
): readonly Neighbour[] {
  const takers = [...uncertain].map(
    ([address, stack]): Neighbour => ({ relation: "stack may have part", address, stack }),
  );
  const keepers = new Set(keptBy === undefined ? adoptedBy : [keptBy, ...adoptedBy]);
  for (const address of keepers) {
    const stack = yetToTake.get(address);
    if (stack !== undefined && !uncertain.has(address))
      takers.push({ relation: "stack has part", address, stack });
  }
  return takers;
}

const NOWHERE = { uncertain: new Map<string, string>(), yetToTake: new Map<string, string>() };

/** Returns the leaving objects of other stacks that contain a new object. */
async function leavingOwners(step: Step, others: OtherStacks | undefined): Promise<readonly Neighbour[]> {
  const { leaving = [] } = (await others?.announce(step)) ?? {};
  return leaving.map((address) => ({ relation: "part of what a stack leaves", address }));
}

/** If an update stops managing a set, returns the declarations of other stacks for parts of this set; otherwise an empty list. */
async function waitingStacks(step: Step, others: OtherStacks): Promise<readonly Neighbour[]> {
  const { yetToTake } = await others.announce(step);
  // If the object still owns the set after the update, the comparison with other stacks reports this as a conflict.
  if (yetToTake.size === 0 || (await others.owner(step.provider, step.change.type, step.planned!))) return [];
  return [...yetToTake].map(([address, stack]) => ({ relation: "stack has part", address, stack }));
}

/**
 * Compares all objects with the other stacks, and refuses the declared objects that another stack has. The plan calls this
 * function before it decides about leaving objects, so that no decided step must be withdrawn. The declared objects must be
 * planned before, because the comparison needs the identities from these plans.
 *
 * @param leaving the steps of objects that may leave
 * @returns for each address, the relations of its object to the same object in other stacks
 */
export async function compareWithStacks(
  { run, mode, steps, others, blocked }: PlanGraph,
  stack: StackOfApp,
  leaving: readonly Step[],
): Promise<ReadonlyMap<string, readonly Neighbour[]>> {
  const changing = steps.planned.filter(
    ({ change: { action } }) => action === "create" || action === "update",
  );
  // The comparison below sends no requests for the paths of stacks outside of this command, so these paths are looked up here.
  await others?.lookUp([...(mode === "normal" ? changing : []), ...leaving]);
  const { conflicts, warnings } = await compareStacks(run, [...steps.all, ...leaving], mode, stack);
  run.report([...conflicts.map(({ problem }) => problem), ...warnings]);
  const relations = new Map<string, Neighbour[]>();
  for (const { address, neighbour } of conflicts) append(relations, address, neighbour);
  if (relations.size === 0) return relations;
  for (const step of [...steps.all, ...leaving]) {
    if (!relations.has(step.change.address)) continue;
    steps.remove(step);
    if (step.declared !== undefined) blocked.add(step.declared.declaration.address);
  }
  return relations;
}
