import type { Diagnostic } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import type { PlanMode } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import type { Step } from "../steps/steps";
import type { StackOfApp } from "./app-stacks";
import { Comparison } from "./comparison";

/**
 * Compares a plan with the other stacks of the app: two stacks must not declare the same object, nor one
 * declare what another's state holds. Asks the service only for paths and numbers of what stacks of the same command
 * declare, so that none of them is written before a conflict is known; a warning names what can't be compared with
 * stacks outside of this command.
 */
export async function compareStacks(
  run: StackRun,
  steps: readonly Step[],
  mode: PlanMode,
  { name, app }: StackOfApp,
): Promise<readonly Diagnostic[]> {
  if (mode === "refresh-only") return [];
  const comparison = new Comparison(run, app);
  const own = await comparison.plannedObjects(name, steps);
  if (own.length === 0) return [];
  return comparison.compare(name, own, await app.others(name, mode));
}

/** Rejects the import of an object that another stack's state holds. */
export async function compareImport(
  run: StackRun,
  {
    address,
    construct,
    type,
    provider,
  }: Pick<ResourceDeclaration, "address" | "construct" | "type" | "provider">,
  state: StoredState,
  { name, app }: StackOfApp,
): Promise<readonly Diagnostic[]> {
  const comparison = new Comparison(run, app);
  const identity = await comparison.identify(provider, type, state);
  if (identity === undefined) return [];
  const own = { address, construct, type, identity, isHeld: false, isDeclared: true };
  const others = (await app.others(name)).map((stack) => ({
    ...stack,
    index: app.index(
      stack.name,
      stack.index.objects.filter(({ source }) => source !== "configuration"),
    ),
    unknown: [],
  }));
  return comparison.compare(name, [own], others);
}
