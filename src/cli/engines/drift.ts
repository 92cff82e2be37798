import path from "node:path";
import { type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import type { DriftReport } from "../../engine";
import { parseJson } from "../../json";
import { statedLines } from "../../text";
import type { DriftArguments } from "../arguments/drift";
import type { ByProgram } from "../arguments/stack-options";
import type { Outcome } from "../run/each-stack";
import { ownProvider } from "../stacks/providers";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";
import { DeclaredObjects } from "./declared-objects";
import { driftReport, type ShownPlan } from "./drift-report";
import { eachEngineStack, type OpenEngineStack, refuse } from "./each-engine-stack";
import { engineFailed } from "./engine-failed";
import { outcomeOf } from "./plan";
import { withTemporaryFolder } from "./temporary";

/**
 * Tells what differs on the service from what is declared. The engine's program looks, which takes no lock and writes no
 * state; what is drift is decided here, as with our own engine.
 */
export async function driftByProgram(
  args: ByProgram<DriftArguments>,
  terminal: Terminal,
  observers: readonly RunView[],
  tell: (report: DriftReport, stack: string | undefined, view: RunView) => Outcome,
): Promise<Outcome> {
  if (args.repair) refuse("--repair", "what undoes drift is worked out by our own engine alone");
  if (args.coverage) refuse("--coverage", "what nobody declares is looked for by our own engine alone");
  const declared = new DeclaredObjects();
  const manner = {
    reversed: false,
    waits: false,
    observers,
    provider: declared.overhear(ownProvider(terminal)),
  };
  return eachEngineStack(args, terminal, manner, async (open) => {
    await open.engine.initialize(open.stack.folder);
    return withTemporaryFolder(async (folder): Promise<Outcome> => {
      const { plan, diagnostics } = await look(open, path.join(folder, "plan"));
      const report = driftReport(plan, declared, open.stack.declarations, diagnostics);
      return tell(report, open.stack.name, open.view);
    });
  });
}

interface Looked {
  readonly plan: ShownPlan;
  readonly diagnostics: readonly Diagnostic[];
}

async function look({ stack, engine, words }: OpenEngineStack, file: string): Promise<Looked> {
  const { folder } = stack;
  const command = [
    "plan",
    "-detailed-exitcode",
    "-lock=false",
    `-out=${file}`,
    "-json",
    ...words.plan("normal", stack),
  ];
  const planned = await engine.capture(folder, command);
  const diagnostics = diagnosticsIn(planned.out);
  if (outcomeOf(planned.code) === "failed") {
    if (!hasErrors(diagnostics)) engineFailed("The live objects can't be compared", planned.said);
    return { plan: {}, diagnostics };
  }
  const shown = await engine.capture(folder, ["show", "-json", "-no-color", file]);
  if (shown.code !== 0) engineFailed("What was found can't be read", shown.said);
  return { plan: parseJson(shown.out) as ShownPlan, diagnostics };
}

interface DiagnosticEvent {
  readonly type?: string;
  readonly diagnostic?: Told;
}

type Told = Pick<Diagnostic, "severity" | "summary" | "detail" | "address">;

const toDiagnostic = ({ severity, summary, detail, address }: Told): Diagnostic =>
  (severity === "error" ? error : warning)({
    code: "engine_failed",
    summary,
    detail: statedLines(detail),
    ...(address !== undefined && { address }),
  });

/** The diagnostics among the events that a program wrote. */
const diagnosticsIn = (out: string): Diagnostic[] =>
  out
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => parseJson(line) as DiagnosticEvent)
    .flatMap(({ type, diagnostic }) =>
      type === "diagnostic" && diagnostic !== undefined ? [toDiagnostic(diagnostic)] : [],
    );
