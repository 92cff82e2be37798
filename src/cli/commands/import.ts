import { hasErrors } from "../../diagnostics";
import { importObject, openState } from "../../engine";
import type { ImportArguments } from "../arguments/import";
import { eachStack, type Outcome } from "../run/each-stack";
import { stackOf } from "../stacks/choose-stack";
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
  const outcome = await eachStack(
    args,
    terminal,
    manner,
    async ({ backend, view, ...stack }): Promise<Outcome> => {
      // An import is one object's affair: it waits until all that was left open is settled.
      const { context, diagnostics } = await openState({ ...stack.context, failFast: true }, backend);
      view.diagnostics(diagnostics);
      const result = await importObject(context, backend, address, id, stack.ofApp);
      await view.settle();
      const shown = result.id === undefined ? undefined : stack.context.sensitive?.hideInId(result.id);
      view.imported(address, { ...result, id: shown ?? result.id });
      return hasErrors(result.diagnostics) ? "failed" : "found";
    },
  );
  return outcome === "failed" ? 1 : 0;
}
