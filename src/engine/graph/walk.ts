import type { Graph } from "./graph";

/**
 * The result of a node: done, failed, skipped since a dependency failed, or waiting for what other visits
 * find. A waiting node and its dependents must be visited again.
 */
export type NodeOutcome = "done" | "failed" | "skipped" | "waiting";

/** The result of a visit. */
export type VisitOutcome = Exclude<NodeOutcome, "skipped">;

export interface WalkOptions {
  /** Maximum number of concurrent visits. */
  readonly concurrency: number;
  /** Once aborted, no visit starts; running visits are awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Start no visit after the first failure. */
  readonly failFast?: boolean | undefined;
}

/**
 * Visits each node after its dependencies. A failed node skips its dependents; everything else continues. An
 * exception ends the walk after the running visits.
 *
 * @returns the outcome of each node
 */
export async function walk<T>(
  graph: Graph<T>,
  visit: (id: string, value: T) => VisitOutcome | Promise<VisitOutcome>,
  { concurrency, signal, failFast }: WalkOptions,
): Promise<Map<string, NodeOutcome>> {
  const outcomes = new Map<string, NodeOutcome>();
  const { unfinishedDependencies, dependents } = indexDependents(graph);
  const ready = graph.topologicalOrder().filter((id) => unfinishedDependencies.get(id) === 0);
  // A queue with a cursor: removing the first of thousands of entries moves all others.
  let next = 0;
  let running = 0;
  let stop = false;
  let thrown: { problem: unknown } | undefined;

  await new Promise<void>((resolve) => {
    const outcomeOfDependencies = (id: string): NodeOutcome => {
      let found: NodeOutcome = "done";
      for (const dependency of graph.dependenciesOf(id)) {
        const outcome = outcomes.get(dependency);
        if (outcome === "failed" || outcome === "skipped") return "skipped";
        if (outcome === "waiting") found = outcome;
      }
      return found;
    };
    const finish = (id: string, outcome: NodeOutcome) => {
      outcomes.set(id, outcome);
      if (outcome === "failed" && failFast) stop = true;
      for (const dependent of dependents.get(id) ?? []) {
        unfinishedDependencies.set(dependent, unfinishedDependencies.get(dependent)! - 1);
        if (unfinishedDependencies.get(dependent) === 0) ready.push(dependent);
      }
    };
    const fail = (id: string, problem: unknown) => {
      thrown ??= { problem };
      finish(id, "failed");
    };
    /** Most visits of a large plan end at once, or together with the page that they waited for. */
    const start = (id: string) => {
      let outcome: VisitOutcome | Promise<VisitOutcome>;
      try {
        outcome = visit(id, graph.value(id)!);
      } catch (problem) {
        return fail(id, problem);
      }
      if (!(outcome instanceof Promise)) return finish(id, outcome);
      running++;
      outcome
        .then(
          (found) => finish(id, found),
          (problem: unknown) => fail(id, problem),
        )
        .then(() => {
          running--;
          startReady();
        });
    };
    const startReady = () => {
      while (next < ready.length && running < concurrency) {
        const id = ready[next++]!;
        const found = outcomeOfDependencies(id);
        if (found === "skipped" || stop || thrown !== undefined || signal?.aborted) finish(id, "skipped");
        else if (found === "waiting") finish(id, "waiting");
        else start(id);
      }
      if (running === 0 && next === ready.length) resolve();
    };
    startReady();
  });
  if (thrown !== undefined) throw thrown.problem;
  return outcomes;
}

function indexDependents<T>(graph: Graph<T>): {
  unfinishedDependencies: Map<string, number>;
  dependents: Map<string, string[]>;
} {
  const unfinishedDependencies = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const id of graph.ids) {
    const dependencies = graph.dependenciesOf(id);
    unfinishedDependencies.set(id, dependencies.length);
    for (const dependency of dependencies) {
      const known = dependents.get(dependency);
      if (known === undefined) dependents.set(dependency, [id]);
      else known.push(id);
    }
  }
  return { unfinishedDependencies, dependents };
}
