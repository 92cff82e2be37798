import { hasErrors } from "../../diagnostics";
import { createPlan, openState } from "../../engine";
import type { PlanArguments } from "../arguments/plan";
import { reportObservers } from "../reports/observers";
import { eachStack, type Outcome } from "../stack/each-stack";
import type { Terminal } from "../terminal";

/** Shows what apply would do. Exit 2 stands for changes where it is asked for. */
export async function plan(args: PlanArguments, terminal: Terminal): Promise<number> {
  const observers = reportObservers("plan", args, terminal);
  const manner = { locksFor: "plan", reversed: args.mode === "destroy", waits: false, observers };
  const outcome = await eachStack(
    args,
    terminal,
    manner,
    async ({ context, backend, view }): Promise<Outcome> => {
      const { state, diagnostics } = await openState(context, backend);
      view.diagnostics(diagnostics);
      const planned = await createPlan(context, state, args.mode);
      await view.settle();
      view.plan(planned);
      if (hasErrors(planned.diagnostics)) return "failed";
      return planned.hasChanges ? "found" : "nothing";
    },
  );
  if (outcome === "failed") return 1;
  return outcome === "found" && args.detailedExitCode ? 2 : 0;
}
