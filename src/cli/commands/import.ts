import { hasErrors } from "../../diagnostics";
import { declaringStack, type StackOutcome } from "../../engine";
import type { importLine } from "../arguments/adopt";
import type { CommandFunction } from "../arguments/command-line";
import { eachStack } from "../stack-runs/each-stack";

/** Imports a live object into the state of the stack that declares the object. */
export const importInto: CommandFunction<typeof importLine> = async (args, terminal) => {
  const { address, id } = args;
  const options = { locksFor: "import", compares: true, choose: declaringStack(address) };
  const outcome = await eachStack(args, terminal, options, async (stack, view): Promise<StackOutcome> => {
    // An import recovers only its own object. With `strict`, the import throws if changes of other objects are still pending
    // after an interrupted run.
    await stack.recover({ strict: true });
    const { id: importedId, diagnostics } = await stack.import(address, id);
    view.tell({
      kind: "imported",
      address,
      result: { id: importedId && stack.shownId(importedId), diagnostics },
    });
    return hasErrors(diagnostics) ? "failed" : "found";
  });
  return outcome === "failed" ? 1 : 0;
};
