import { resourceAddress } from "../../language";
import { at } from "../run/objects";
import type { StackOfApp } from "../stacks/app-stacks";
import { compareStacks } from "../stacks/comparison";
import { isChange } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";

/**
 * Withdraws changes that use a disputed path. Another declaration of the path was refused, because it now belongs
 * to another object. A new object would be created in the other place, away from its siblings.
 */
export function refuseDisputed({ run, steps, blocked }: PlanGraph): void {
  for (const step of [...steps.planned, ...steps.replacements]) {
    const { change, provider, planned, declared } = step;
    if (planned === undefined || !isChange(step)) continue;
    const disputed = run.configured(provider)?.disputedPaths?.(change.type, planned) ?? [];
    if (disputed.length === 0) continue;
    run.report(at(disputed, change.address, declared?.declaration.construct));
    steps.remove(step);
    blocked.add(resourceAddress(change));
  }
}

/** Refuses objects that other stacks have. The comparison needs the identities of all planned objects. */
export async function refuseConflicts({ run, mode, steps, blocked }: PlanGraph, stack: StackOfApp) {
  const found = await compareStacks(run, steps.all, mode, stack);
  run.report(found);
  const refused = new Set(
    found.flatMap(({ code, address }) => (code === "object_of_two_stacks" ? [address] : [])),
  );
  if (refused.size === 0) return;
  for (const step of steps.all) {
    const { change, declared } = step;
    if (!refused.has(change.address)) continue;
    steps.remove(step);
    if (declared !== undefined) blocked.add(declared.declaration.address);
  }
}
