import type { Graph } from "./graph";

/**
 * What became of a node: done, failed, not begun because something it depends on failed, or waiting for what the other
 * visits find: then it is to be visited again, and so is what depends on it.
 */
export type Outcome = "done" | "failed" | "skipped" | "waiting";

/** What a visit answers. */
export type Visited = Exclude<Outcome, "skipped">;

export interface WalkOptions {
  /** How many nodes may be under way at once. */
  readonly width: number;
  /** No new node begins once this is aborted; those under way are waited for. */
  readonly signal?: AbortSignal | undefined;
  /** Stop beginning nodes after the first failure. */
  readonly failFast?: boolean | undefined;
}

/**
 * Visits every node after what it depends on. A visit that answers "failed" keeps what depends on it from being
 * visited; all else goes on. A visit that throws ends the walk once the others under way have ended.
 */
export async function walk<T>(
  graph: Graph<T>,
  visit: (id: string, value: T) => Promise<Visited>,
  { width, signal, failFast }: WalkOptions,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const { waiting, dependents } = links(graph);
  const ready = graph.order().filter((id) => waiting.get(id) === 0);
  // A queue read by position: taking the first one off thousands moves all others.
  let next = 0;
  let running = 0;
  let stop = false;
  let thrown: { problem: unknown } | undefined;

  await new Promise<void>((resolve) => {
    const settle = (id: string, outcome: Outcome) => {
      outcomes.set(id, outcome);
      if (outcome === "failed" && failFast) stop = true;
      for (const dependent of dependents.get(id) ?? []) {
        waiting.set(dependent, waiting.get(dependent)! - 1);
        if (waiting.get(dependent) === 0) ready.push(dependent);
      }
    };
    const begin = async (id: string) => {
      running++;
      try {
        settle(id, await visit(id, graph.value(id)!));
      } catch (problem) {
        thrown ??= { problem };
        settle(id, "failed");
      }
      running--;
      advance();
    };
    const advance = () => {
      while (next < ready.length && running < width) {
        const id = ready[next++]!;
        const before = new Set(graph.dependenciesOf(id).map((dependency) => outcomes.get(dependency)));
        const isBlocked = before.has("failed") || before.has("skipped");
        if (isBlocked || stop || thrown !== undefined || signal?.aborted) settle(id, "skipped");
        else if (before.has("waiting")) settle(id, "waiting");
        else void begin(id);
      }
      if (running === 0 && next === ready.length) resolve();
    };
    advance();
  });
  if (thrown !== undefined) throw thrown.problem;
  return outcomes;
}

function links<T>(graph: Graph<T>): { waiting: Map<string, number>; dependents: Map<string, string[]> } {
  const waiting = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const id of graph.ids) {
    const dependencies = graph.dependenciesOf(id);
    waiting.set(id, dependencies.length);
    for (const dependency of dependencies) {
      const known = dependents.get(dependency);
      if (known === undefined) dependents.set(dependency, [id]);
      else known.push(id);
    }
  }
  return { waiting, dependents };
}
