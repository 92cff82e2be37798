import { DiagnosticError, hasErrors } from "../../diagnostics";
import type { SourceArguments } from "../arguments/stack-options";
import { reportDiagnostics } from "../failure";
import { createLog } from "../log";
import { annotationDiagnostics, selectStacks } from "../stack/manifest";
import { synthesize } from "../stack/synthesize";
import type { Terminal } from "../terminal";
import { writeSynthesized } from "../views/synth";

/** Runs the app and tells which stacks it left. */
export async function synth(args: SourceArguments, terminal: Terminal): Promise<number> {
  const { output, stacks } = await synthesize(args, terminal, createLog(terminal));
  const chosen = selectStacks(stacks, args.stacks);
  const annotations = annotationDiagnostics(chosen);
  if (hasErrors(annotations)) throw new DiagnosticError(annotations);
  reportDiagnostics(annotations, terminal, args);
  writeSynthesized(output, chosen, terminal, args);
  return 0;
}
