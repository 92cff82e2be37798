import { hasErrors } from "../../diagnostics";
import { type Outcome, stackOf } from "../../engine";
import type { ImportArguments } from "../arguments/import";
import { eachStack } from "../run/each-stack";
import type { Terminal } from "../terminal/terminal";

/** Takes a live object into the state of the stack that declares it. */
export async function importInto(args: ImportArguments, terminal: Terminal): Promise<number> {
  const { address, id } = args;
  const manner = {
    locksFor: "import",
    compares: true,
    reversed: false,
    waits: false,
    choose: stackOf(address),
  };
  const outcome = await eachStack(args, terminal, manner, async (stack, view): Promise<Outcome> => {
    // An import is one object's affair: it waits until all that was left open is settled.
    await stack.recover({ wholly: true });
    const { id: found, diagnostics } = await stack.import(address, id);
    await view.stopProgress();
    view.imported(address, { id: found && stack.shownId(found), diagnostics });
    return hasErrors(diagnostics) ? "failed" : "found";
  });
  return outcome === "failed" ? 1 : 0;
}
