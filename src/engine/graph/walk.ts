import type { Graph } from "./graph";

/**
 * The result of a node: done, failed, skipped since a dependency failed, or waiting for what other visits
 * find. A waiting node and its dependents must be visited again.
 */
export type NodeOutcome = "done" | "failed" | "skipped" | "waiting";

/** The result of a visit. */
export type VisitOutcome = Exclude<NodeOutcome, "skipped">;

/** A visit that begins again when something has ended: where thousands wait for the same, none needs a promise of its own. */
export class Later {
  constructor(readonly ended: Promise<unknown>) {}
}
export type Visited = VisitOutcome | Later;

export interface WalkOptions {
  /** Maximum number of concurrent visits. */
  readonly concurrency: number;
  /** Once aborted, no visit starts; running visits are awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Start no visit after the first failure. */
  readonly failFast?: boolean | undefined;
}

/** A node during a walk. */
interface Visit<T> {
  readonly id: string;
  readonly value: T;
  readonly dependencies: readonly Visit<T>[];
  /** Undefined for most nodes, which nothing depends on. */
  dependents: Visit<T>[] | undefined;
  unfinished: number;
  outcome: NodeOutcome | undefined;
}

/**
 * Visits each node after its dependencies. A failed node skips its dependents; everything else continues. An
 * exception ends the walk after the running visits.
 *
 * @returns the outcome of each node
 */
export async function walk<T>(
  graph: Graph<T>,
  visit: (id: string, value: T) => Visited | Promise<Visited>,
  { concurrency, signal, failFast }: WalkOptions,
): Promise<Map<string, NodeOutcome>> {
  const all = visitsOf(graph);
  const ready = all.filter(({ unfinished }) => unfinished === 0);
  const outcomes = new Map<string, NodeOutcome>();
  // A queue with a cursor: removing the first of thousands of entries moves all others.
  let next = 0;
  let running = 0;
  const suspended = new Map<Promise<unknown>, Visit<T>[]>();
  let stop = false;
  let thrown: { problem: unknown } | undefined;

  await new Promise<void>((resolve) => {
    const finish = (node: Visit<T>, outcome: NodeOutcome) => {
      node.outcome = outcome;
      outcomes.set(node.id, outcome);
      if (outcome === "failed" && failFast) stop = true;
      if (node.dependents === undefined) return;
      for (const dependent of node.dependents) if (--dependent.unfinished === 0) ready.push(dependent);
    };
    const fail = (node: Visit<T>, problem: unknown) => {
      thrown ??= { problem };
      finish(node, "failed");
    };
    const suspend = (node: Visit<T>, ended: Promise<unknown>) => {
      const others = suspended.get(ended);
      if (others !== undefined) return void others.push(node);
      const waiting = [node];
      suspended.set(ended, waiting);
      const resume = () => {
        suspended.delete(ended);
        for (const one of waiting) ready.push(one);
        startReady();
      };
      ended.then(resume, resume);
    };
    const end = (node: Visit<T>, visited: Visited) =>
      visited instanceof Later ? suspend(node, visited.ended) : finish(node, visited);
    /** Most visits of a large plan end at once, or together with the page that they waited for. */
    const start = (node: Visit<T>) => {
      let outcome: Visited | Promise<Visited>;
      try {
        outcome = visit(node.id, node.value);
      } catch (problem) {
        return fail(node, problem);
      }
      if (!(outcome instanceof Promise)) return end(node, outcome);
      running++;
      outcome
        .then(
          (found) => end(node, found),
          (problem: unknown) => fail(node, problem),
        )
        .then(() => {
          running--;
          startReady();
        });
    };
    const startReady = () => {
      while (next < ready.length && running < concurrency) {
        const node = ready[next++]!;
        const found = outcomeOfDependencies(node);
        if (found === "skipped" || stop || thrown !== undefined || signal?.aborted) finish(node, "skipped");
        else if (found === "waiting") finish(node, "waiting");
        else start(node);
      }
      if (running + suspended.size === 0 && next === ready.length) resolve();
    };
    startReady();
  });
  if (thrown !== undefined) throw thrown.problem;
  return outcomes;
}

function outcomeOfDependencies<T>({ dependencies }: Visit<T>): NodeOutcome {
  let found: NodeOutcome = "done";
  for (let index = 0; index < dependencies.length; index += 1) {
    const { outcome } = dependencies[index]!;
    if (outcome === "failed" || outcome === "skipped") return "skipped";
    if (outcome === "waiting") found = outcome;
  }
  return found;
}

/** The nodes in topological order. */
function visitsOf<T>(graph: Graph<T>): Visit<T>[] {
  const visits = new Map<string, Visit<T>>();
  for (const id of graph.topologicalOrder()) {
    const dependencies = graph.dependenciesOf(id).map((other) => visits.get(other)!);
    const visit: Visit<T> = {
      id,
      value: graph.value(id)!,
      dependencies,
      dependents: undefined,
      unfinished: dependencies.length,
      outcome: undefined,
    };
    visits.set(id, visit);
    for (const other of dependencies) {
      other.dependents ??= [];
      other.dependents.push(visit);
    }
  }
  return [...visits.values()];
}
