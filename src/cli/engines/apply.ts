import path from "node:path";
import type { ApplyArguments } from "../arguments/apply";
import type { ByProgram } from "../arguments/stack-options";
import type { Outcome } from "../run/each-stack";
import type { Terminal } from "../terminal/terminal";
import { approvalQuestion, isApproval } from "../views/approval";
import { eachEngineStack, type OpenEngineStack, refuse } from "./each-engine-stack";
import { only, outcomeOf, refuseReports } from "./plan";
import { withTemporaryFolder } from "./temporary";

/** Has the engine's program plan and apply; who asks a person is steward. */
export async function applyByProgram(args: ByProgram<ApplyArguments>, terminal: Terminal): Promise<number> {
  refuseReports(args);
  const { mode, plan, maxDeletes, maxChanges } = args;
  if (maxDeletes !== undefined || maxChanges !== undefined)
    refuse("--max-deletes and --max-changes", "they are counted by our own engine alone");
  const choose = plan === undefined ? undefined : only("a saved plan");
  const manner = { reversed: mode === "destroy", waits: true, ...(choose && { choose }) };
  const outcome = await eachEngineStack(args, terminal, manner, async (open) => {
    await open.engine.initialize(open.stack.folder);
    if (plan !== undefined) return applySaved(open, args, path.resolve(terminal.folder, plan));
    return args.autoApprove ? applyAtOnce(open, args) : applyApproved(open, args, terminal);
  });
  return outcome === "failed" ? 1 : 0;
}

async function applyAtOnce(
  { stack, words, run }: OpenEngineStack,
  { mode }: ApplyArguments,
): Promise<Outcome> {
  // Their word for it, and with it their closing line.
  const command =
    mode === "destroy" ? ["destroy", ...words.plan("normal", stack)] : ["apply", ...words.plan(mode, stack)];
  const code = await run([...command, "-auto-approve"]);
  return code === 0 ? "found" : "failed";
}

/** Applies what was shown and nothing else: the plan stands in a file meanwhile. */
function applyApproved(open: OpenEngineStack, args: ApplyArguments, terminal: Terminal): Promise<Outcome> {
  const { stack, words, run, view, engine } = open;
  const { mode } = args;
  return withTemporaryFolder(async (folder): Promise<Outcome> => {
    const file = path.join(folder, "plan");
    const code = await run(["plan", "-detailed-exitcode", `-out=${file}`, ...words.plan(mode, stack)]);
    const planned = outcomeOf(code);
    if (planned === "failed") return planned;
    const isApproved = async () =>
      isApproval(await terminal.ask(approvalQuestion(mode, stack.name), engine.interruption.stop));
    if (planned === "found" && !(await isApproved())) {
      view.notice("Not approved: nothing was changed.");
      return "failed";
    }
    return applySaved(open, args, file);
  });
}

/** What a plan was made with stands in it; the program refuses one that no longer fits the state. */
async function applySaved(
  { words, run }: OpenEngineStack,
  { json }: ApplyArguments,
  file: string,
): Promise<Outcome> {
  const code = await run(["apply", ...words.view(json), ...words.width(), ...words.state(), file]);
  return code === 0 ? "found" : "failed";
}
