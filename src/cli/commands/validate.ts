import { hasErrors } from "../../diagnostics";
import { validateConfiguration, variablesFor } from "../../engine";
import type { ValidateArguments } from "../arguments/validate";
import { loadNamedStacks } from "../stacks/load-stacks";
import { ownProviders } from "../stacks/providers";
import type { Terminal } from "../terminal/terminal";
import { diagnosticsOf } from "../views/failure";
import { writeValidation } from "../views/validation";

/** Checks the stacks without asking anybody anything. */
export async function validate(args: ValidateArguments, terminal: Terminal): Promise<number> {
  const diagnostics = await collect(args, terminal);
  writeValidation(diagnostics, terminal, args);
  return hasErrors(diagnostics) ? 1 : 0;
}

async function collect(args: ValidateArguments, terminal: Terminal) {
  try {
    const { stacks, warnings } = await loadNamedStacks(args, terminal);
    const providers = ownProviders(terminal);
    const all = stacks.map(({ configuration }) => configuration);
    const found = await Promise.all(
      all.map((configuration) =>
        validateConfiguration({
          configuration,
          providers,
          variables: variablesFor(configuration, all, args.variables, terminal),
        }),
      ),
    );
    return [...warnings, ...found.flat()];
  } catch (problem) {
    return diagnosticsOf(problem, terminal);
  }
}
