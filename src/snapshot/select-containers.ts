import { type Diagnostic, hasErrors } from "../diagnostics";
import type { ContainerSelection, LiveContainer, RunOptions } from "../framework";
import { createProvider } from "../provider";

/** Finds the selected projects and groups with the provider's own lister, which adoption and coverage use as well. */
export async function selectContainers(
  selection: ContainerSelection,
  run: RunOptions,
): Promise<{ readonly containers: readonly LiveContainer[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { provider, diagnostics } = createProvider().configure({}, run);
  if (provider === undefined || hasErrors(diagnostics)) return { containers: [], diagnostics };
  try {
    const containers: LiveContainer[] = [];
    const problems: Diagnostic[] = [];
    for await (const found of provider.findContainers!(selection, run.signal)) {
      containers.push(...found.containers);
      problems.push(...found.diagnostics);
    }
    return { containers, diagnostics: problems };
  } finally {
    await provider.close();
  }
}
