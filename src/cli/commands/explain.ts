import { type Diagnostic, error, hasErrors } from "../../diagnostics";
import { type ExplainedSetting, runStacks } from "../../engine";
import type { ExplainArguments } from "../arguments/explain";
import { loadNamedStacks } from "../stacks/load-stacks";
import { ownProviders } from "../stacks/providers";
import type { Terminal } from "../terminal/terminal";
import { type ExplainedStack, writeExplained } from "../views/explained";
import { diagnosticsOf } from "../views/failure";

/** Shows where each setting of a project comes from. */
export async function explain(args: ExplainArguments, terminal: Terminal): Promise<number> {
  const found: ExplainedStack[] = [];
  const diagnostics: Diagnostic[] = [];
  const { folder, env } = terminal;
  const loaded = await loadNamedStacks(args, terminal);
  const providers = ownProviders(terminal, args.maxRequestsPerMinute);
  await runStacks(
    loaded,
    { ...args, folder, env, providers, onEvent: () => undefined },
    {
      locksFor: undefined,
      work: async (stack) => {
        await stack.read();
        const plan = await stack.plan();
        diagnostics.push(...plan.diagnostics);
        const settings: readonly ExplainedSetting[] = stack.explain(plan, args.project);
        if (settings.length > 0) found.push({ stack: stack.name, settings });
        return "nothing";
      },
      onFailure: async (problem) => void diagnostics.push(...diagnosticsOf(problem, terminal)),
    },
  );
  if (found.length === 0 && !hasErrors(diagnostics)) diagnostics.push(notDeclared(args.project));
  writeExplained(args.project, found, diagnostics, terminal, args);
  return hasErrors(diagnostics) ? 1 : 0;
}

const notDeclared = (project: string) =>
  error({
    code: "project_not_declared",
    summary: "No setting of the project is declared",
    detail: `No stack declares a setting of ${project}, and no fleet lists it. Check its full path, and the group, topics and exceptions of the fleet.`,
  });
