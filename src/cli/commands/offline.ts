import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import { annotationDiagnostics, runStacks, selectStacks, synthesize } from "../../engine";
import { createProvider } from "../../provider";
import type { CommandFunction } from "../arguments/command-line";
import type { schemaLine, ValidateArguments } from "../arguments/offline";
import type { SourceArguments } from "../arguments/shared-options";
import { loadNamedStacks, whileLoading } from "../stack-runs/load-stacks";
import { ownProviders } from "../stack-runs/providers";
import type { Terminal } from "../terminal/terminal";
import { writeSchema, writeSynthesized, writeValidation } from "../views/command-results";
import { diagnosticsOf, reportDiagnostics } from "../views/diagnostics";

/** Synthesizes the app and lists the stacks that the app wrote. */
export async function synth(args: SourceArguments, terminal: Terminal): Promise<number> {
  const { output, stacks } = await whileLoading(terminal, (loading) => synthesize(args, loading));
  const chosen = selectStacks(stacks, args.stacks ?? []);
  const annotations = annotationDiagnostics(chosen);
  if (hasErrors(annotations)) throw new DiagnosticError(annotations);
  reportDiagnostics(annotations, terminal, args);
  writeSynthesized(output, chosen, terminal, args);
  return 0;
}

/** Validates the configurations of the stacks without requests to the service. */
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
    const onEvent = () => undefined;
    const options = { ...args, folder, env, providers: ownProviders(terminal), refresh: false, onEvent };
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

/** Writes the schema of the provider. */
export const schema: CommandFunction<typeof schemaLine> = async (_args, terminal) => {
  writeSchema(createProvider().schema, terminal);
  return 0;
};
