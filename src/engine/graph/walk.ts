import type { Graph, GraphNode } from "./graph";

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
  /** The outcome of a visit that throws. Without it, an exception ends the walk after the running visits. */
  readonly recover?: ((id: string, problem: unknown) => VisitOutcome) | undefined;
}

/** A node during a walk that other nodes depend on, or that depends on several. */
class Visit<T> {
  dependents: Ready<T>[] | undefined = undefined;
  unfinished: number;
  outcome: NodeOutcome | undefined = undefined;

  constructor(
    readonly node: GraphNode<T>,
    readonly dependencies: readonly Visit<T>[],
  ) {
    this.unfinished = dependencies.length;
  }
}

/** Most nodes need nothing but their provider, and nothing depends on them: nothing is noted of them. */
type Ready<T> = Visit<T> | GraphNode<T>;

/**
 * Visits each node after its dependencies. A failed node skips its dependents; everything else continues.
 *
 * @returns the outcomes of the nodes that are not done
 */
export async function walk<T>(
  graph: Graph<T>,
  visit: (id: string, value: T) => Visited | Promise<Visited>,
  { concurrency, signal, failFast, recover }: WalkOptions,
): Promise<ReadonlyMap<string, Exclude<NodeOutcome, "done">>> {
  const ready = initiallyReady(graph);
  const outcomes = new Map<string, Exclude<NodeOutcome, "done">>();
  // A queue with a cursor: removing the first of thousands of entries moves all others.
  let next = 0;
  let running = 0;
  const suspended = new Map<Promise<unknown>, Ready<T>[]>();
  let isStopped = false;
  let thrown: { problem: unknown } | undefined;

  await new Promise<void>((resolve) => {
    const finish = (one: Ready<T>, outcome: NodeOutcome) => {
      if (outcome !== "done") outcomes.set(nodeOf(one).id, outcome);
      if (outcome === "failed" && failFast) isStopped = true;
      if (one instanceof Visit) free(one, outcome);
    };
    const free = (visited: Visit<T>, outcome: NodeOutcome) => {
      visited.outcome = outcome;
      const { dependents = [] } = visited;
      for (let index = 0; index < dependents.length; index += 1) {
        const one = dependents[index]!;
        if (!(one instanceof Visit) && outcome !== "done") finish(one, outcomeAfter(outcome));
        else if (!(one instanceof Visit) || --one.unfinished === 0) ready.push(one);
      }
    };
    const fail = (one: Ready<T>, problem: unknown) => {
      if (recover !== undefined)
        try {
          return finish(one, recover(nodeOf(one).id, problem));
        } catch (another) {
          thrown ??= { problem: another };
        }
      thrown ??= { problem };
      finish(one, "failed");
    };
    const suspend = (one: Ready<T>, ended: Promise<unknown>) => {
      const others = suspended.get(ended);
      if (others !== undefined) return void others.push(one);
      const waiting = [one];
      suspended.set(ended, waiting);
      const resume = () => {
        suspended.delete(ended);
        for (const each of waiting) ready.push(each);
        startReady();
      };
      ended.then(resume, resume);
    };
    const end = (one: Ready<T>, visited: Visited) =>
      visited instanceof Later ? suspend(one, visited.ended) : finish(one, visited);
    /** Most visits of a large plan end at once, or together with the page that they waited for. */
    const start = (one: Ready<T>) => {
      let outcome: Visited | Promise<Visited>;
      try {
        const { id, value } = nodeOf(one);
        outcome = visit(id, value);
      } catch (problem) {
        return fail(one, problem);
      }
      if (!(outcome instanceof Promise)) return end(one, outcome);
      running++;
      outcome
        .then(
          (found) => end(one, found),
          (problem: unknown) => fail(one, problem),
        )
        .then(() => {
          running--;
          startReady();
        });
    };
    const startReady = () => {
      while (next < ready.length && running < concurrency) {
        const one = ready[next++]!;
        const found = one instanceof Visit ? outcomeOfDependencies(one) : "done";
        if (found === "skipped" || isStopped || thrown !== undefined || signal?.aborted)
          finish(one, "skipped");
        else if (found === "waiting") finish(one, "waiting");
        else start(one);
      }
      if (running + suspended.size === 0 && next === ready.length) resolve();
    };
    startReady();
  });
  if (thrown !== undefined) throw thrown.problem;
  return outcomes;
}

const nodeOf = <T>(one: Ready<T>): GraphNode<T> => (one instanceof Visit ? one.node : one);

/** The outcome of a node, of whose dependencies one ended so. */
const outcomeAfter = (outcome: Exclude<NodeOutcome, "done">): "skipped" | "waiting" =>
  outcome === "waiting" ? "waiting" : "skipped";

function outcomeOfDependencies<T>({ dependencies }: Visit<T>): "done" | "skipped" | "waiting" {
  let found: "done" | "waiting" = "done";
  for (let index = 0; index < dependencies.length; index += 1) {
    const outcome = dependencies[index]!.outcome!;
    const after = outcome === "done" ? outcome : outcomeAfter(outcome);
    if (after === "skipped") return after;
    if (after === "waiting") found = after;
  }
  return found;
}

/** The nodes without dependencies, in topological order. The others wait among the dependents of their dependencies. */
function initiallyReady<T>(graph: Graph<T>): Ready<T>[] {
  const visits = new Map<string, Visit<T>>();
  const ready: Ready<T>[] = [];
  let last: GraphNode<T>["dependencies"] | undefined;
  let known: readonly Visit<T>[] = [];
  const nodes = graph.topologicalOrder();
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index]!;
    if (node.dependencies !== last) {
      last = node.dependencies;
      known = graph.dependenciesOf(node.id).map((id) => visits.get(id)!);
    }
    const isNeeded = graph.isNeeded(node.id);
    const one = isNeeded || known.length > 1 ? new Visit(node, known) : node;
    if (isNeeded) visits.set(node.id, one as Visit<T>);
    if (known.length === 0) ready.push(one);
    for (let other = 0; other < known.length; other += 1) {
      const { dependents } = known[other]!;
      if (dependents === undefined) known[other]!.dependents = [one];
      else dependents.push(one);
    }
  }
  return ready;
}
