import { walk } from "../graph/walk";
import type { RunContext } from "../run/context";
import { withRun } from "../run/stack-run";

/**
 * The services of a configuration's providers, by provider configuration key. Sends no request. A provider
 * whose configuration depends on a resource or data source is left out: its service is not known yet.
 */
export const servicesOf = (context: RunContext): Promise<Readonly<Record<string, string>>> =>
  withRun(context, async (run) => {
    const services: Record<string, string> = {};
    const nodes = run.graph.ids.filter((id) => {
      const closure = [...run.graph.closure([id])].map((one) => run.graph.value(one)?.kind);
      return run.graph.value(id)?.kind === "provider" && !closure.includes("resource");
    });
    const graph = run.graph.subgraph(run.graph.closure(nodes));
    await walk(
      graph,
      async (_id, node) => {
        if (node.kind === "local") return run.visitLocal(node.name, node);
        if (node.kind !== "provider") return "done";
        const outcome = run.visitProvider(node.key, node.declaration, true);
        const service = outcome === "done" ? run.configured(node.key).service : undefined;
        if (service !== undefined) services[node.key] = service;
        return outcome;
      },
      { concurrency: 1 },
    );
    return services;
  });
