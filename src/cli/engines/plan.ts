import path from "node:path";
import type { PlanArguments } from "../arguments/plan";
import type { ReportArguments } from "../arguments/reports";
import type { ByProgram } from "../arguments/stack-options";
import type { Outcome } from "../run/each-stack";
import { onlyOne } from "../stacks/choose-stack";
import type { Terminal } from "../terminal/terminal";
import { eachEngineStack, refuse } from "./each-engine-stack";
import type { EngineStack } from "./stacks";

/** Has the engine's program plan, and save the plan in its own form where that is asked for. */
export async function planByProgram(args: ByProgram<PlanArguments>, terminal: Terminal): Promise<number> {
  refuseReports(args);
  const { out, mode } = args;
  const saves = out === undefined ? [] : [`-out=${path.resolve(terminal.folder, out)}`];
  const manner = {
    reversed: mode === "destroy",
    waits: false,
    ...(out !== undefined && { choose: only("a plan file") }),
  };
  const outcome = await eachEngineStack(
    args,
    terminal,
    manner,
    async ({ stack, engine, words, view, run }) => {
      await engine.initialize(stack.folder);
      const planned = outcomeOf(
        await run(["plan", "-detailed-exitcode", ...saves, ...words.plan(mode, stack)]),
      );
      // Of events the last is the result.
      if (out !== undefined && planned !== "failed" && !args.json) view.saved(out, toApplyIt(args));
      return planned;
    },
  );
  if (outcome === "failed") return 1;
  return outcome === "found" && args.detailedExitCode ? 2 : 0;
}

/** What the program's plan file doesn't hold, and apply has to be told again. */
function toApplyIt({ engine, app, output, config, stacks, state }: ByProgram<PlanArguments>): string[] {
  const told = { engine, app, output, config, stack: stacks[0], state };
  return Object.entries(told).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

/** What `-detailed-exitcode` says. */
export const outcomeOf = (code: number): Outcome =>
  code === 0 ? "nothing" : code === 2 ? "found" : "failed";

/** Their plan files hold one stack each. */
export const only =
  (what: string) =>
  (stacks: readonly EngineStack[]): readonly EngineStack[] => {
    onlyOne(
      stacks.map(({ name }) => ({ stack: name })),
      what,
    );
    return stacks;
  };

export function refuseReports({ reports, engine }: ByProgram<ReportArguments>): void {
  if (reports.length > 0)
    refuse("--report", `what \`${engine}\` plans and applies is told by that program alone`);
}
