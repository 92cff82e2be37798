import { type Diagnostic, hasErrors } from "../../diagnostics";
import { runStacks } from "../../engine";
import type { ValidateArguments } from "../arguments/validate";
import { loadNamedStacks } from "../stacks/load-stacks";
import { ownProviders } from "../stacks/providers";
import type { Terminal } from "../terminal/terminal";
import { diagnosticsOf } from "../views/failure";
import { writeValidation } from "../views/validation";

/** Validates the stacks offline. */
export async function validate(args: ValidateArguments, terminal: Terminal): Promise<number> {
  const diagnostics = await collect(args, terminal);
  writeValidation(diagnostics, terminal, args);
  return hasErrors(diagnostics) ? 1 : 0;
}

async function collect(args: ValidateArguments, terminal: Terminal): Promise<readonly Diagnostic[]> {
  try {
    const { folder, env } = terminal;
    const loaded = await loadNamedStacks(args, terminal);
    const found = [...loaded.warnings];
    const options = { ...args, ...NO_REQUESTS, folder, env, providers: ownProviders(terminal) };
    await runStacks(loaded, options, {
      locksFor: undefined,
      work: async (stack) => {
        found.push(...stack.validate());
        return "nothing";
      },
      onFailure: async (problem) => void found.push(...diagnosticsOf(problem, terminal)),
    });
    return found;
  } catch (problem) {
    return diagnosticsOf(problem, terminal);
  }
}

/** Options of a run without requests. */
const NO_REQUESTS = {
  targets: [],
  excludes: [],
  refresh: false,
  failFast: false,
  lockTimeout: 0,
  onEvent: () => undefined,
};
