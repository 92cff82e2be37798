import { withoutKey } from "../../engine";
import type { ImportArguments } from "../arguments/import";
import type { ByProgram } from "../arguments/stack-options";
import { stackDeclaring } from "../stacks/choose-stack";
import type { Terminal } from "../terminal/terminal";
import { eachEngineStack } from "./each-engine-stack";
import { engineFailure } from "./engine-failed";
import type { EngineStack } from "./stacks";

/** Has the engine's program take a live object into the state of the stack that declares it. */
export async function importByProgram(args: ByProgram<ImportArguments>, terminal: Terminal): Promise<number> {
  const { address, id, json } = args;
  const resource = withoutKey(address);
  const choose = stackDeclaring<EngineStack>(address, ({ declarations }) =>
    declarations.resources.has(resource),
  );
  const manner = { reversed: false, waits: false, choose };
  const outcome = await eachEngineStack(args, terminal, manner, async (open) => {
    const { stack, engine, words, view, run } = open;
    await engine.initialize(stack.folder);
    const options = [...words.view(false), ...words.variables(stack), ...words.width(), ...words.state()];
    const command = ["import", ...options, address, id];
    if (!json) return (await run(command)) === 0 ? "found" : "failed";
    // This command of theirs knows no JSON.
    const { code, said } = await engine.capture(stack.folder, command);
    view.imported(address, {
      id: code === 0 ? id : undefined,
      diagnostics:
        code === 0 ? [] : [engineFailure("The object can't be taken into the state", said, address)],
    });
    return code === 0 ? "found" : "failed";
  });
  return outcome === "failed" ? 1 : 0;
}
