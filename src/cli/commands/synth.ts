import { DiagnosticError, hasErrors } from "../../diagnostics";
import { annotationDiagnostics, selectStacks, synthesize } from "../../engine";
import type { SourceArguments } from "../arguments/stack-options";
import { whileLoading } from "../stacks/load-stacks";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/failure";
import { writeSynthesized } from "../views/synth";

/** Runs the app and lists the stacks that it wrote. */
export async function synth(args: SourceArguments, terminal: Terminal): Promise<number> {
  const { output, stacks } = await whileLoading(terminal, (loading) => synthesize(args, loading));
  const chosen = selectStacks(stacks, args.stacks);
  const annotations = annotationDiagnostics(chosen);
  if (hasErrors(annotations)) throw new DiagnosticError(annotations);
  reportDiagnostics(annotations, terminal, args);
  writeSynthesized(output, chosen, terminal, args);
  return 0;
}
