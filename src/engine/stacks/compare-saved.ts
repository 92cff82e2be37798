import { type Diagnostic, hasErrors } from "../../diagnostics";
import { evaluateNodes } from "../import/evaluate-needed";
import type { Plan } from "../plan/plan";
import type { RunContext } from "../run/context";
import { addProviders, providerNode } from "../run/declarations";
import { objectsOf } from "../run/objects";
import { StackRun } from "../run/stack-run";
import { compareStacks, type StackOfApp } from "./compare-stacks";

/** The same for a saved plan: the other stacks, and their states, may have changed since it was made. */
export async function compareSaved(
  context: RunContext,
  { steps, mode, priorState }: Pick<Plan, "steps" | "mode" | "priorState">,
  stackOfApp: StackOfApp,
): Promise<readonly Diagnostic[]> {
  const run = new StackRun(context);
  try {
    const keys = [...new Set(steps.map(({ provider }) => provider))];
    addProviders(run.graph, keys);
    await evaluateNodes(run, keys.map(providerNode), objectsOf(priorState, run).current);
    // What is wrong with a provider's configuration is for the apply to tell.
    if (hasErrors(run.diagnostics)) return [];
    const found = await compareStacks(run, steps, mode, stackOfApp);
    return found.filter(({ severity }) => severity === "error");
  } finally {
    await run.close();
  }
}
