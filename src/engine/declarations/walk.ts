import type { Graph, GraphNode } from "./graph";

/** The result of a node: done, failed, or skipped after a failed dependency. */
export type NodeOutcome = "done" | "failed" | "skipped";

/** The result of a visit. A waiting node is visited again after all nodes that do not depend on it. */
export type VisitOutcome = Exclude<NodeOutcome, "skipped"> | "waiting";

/**
 * The result of a visit that must begin again once a promise is settled. Thousands of nodes can wait for one promise and share
 * this object.
 */
export class RevisitAfter {
  constructor(readonly ended: Promise<unknown>) {}
}
export type Visited = VisitOutcome | RevisitAfter;

export interface WalkOptions {
  /** Maximum number of concurrent visits. */
  readonly concurrency: number;
  /** Once this signal is aborted, no visit starts; running visits are awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the walk stops starting visits after the first failure. */
  readonly failFast?: boolean | undefined;
  /** Returns the outcome of a visit that throws. Without this function, an exception ends the walk after the running visits. */
  readonly recover?: ((id: string, problem: unknown) => VisitOutcome) | undefined;
  /** Called when only waiting nodes and their dependents are left. The walk visits the waiting nodes again after this call. */
  readonly onIdle?: ((outcomes: Outcomes) => Promise<void>) | undefined;
}

/** The outcomes of the nodes that are not done. */
export type Outcomes = ReadonlyMap<string, Exclude<NodeOutcome, "done">>;

/** A node of a walk, if the node has dependents or several dependencies. */
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

/**
 * A node that is ready for its visit. Most nodes need only their provider and have no dependents, so the walk creates no
 * `Visit` for such nodes.
 */
type Ready<T> = Visit<T> | GraphNode<T>;

/**
 * Visits each node after its dependencies. If a node fails, its dependents are skipped, and all other nodes are still visited.
 *
 * @returns the outcomes of the nodes that are not done
 */
export const walk = <T>(graph: Graph<T>, visit: Visitor<T>, options: WalkOptions): Promise<Outcomes> =>
  new Walk(graph, visit, options).run();

type Visitor<T> = (id: string, value: T) => Visited | Promise<Visited>;

/** One walk over a graph. */
class Walk<T> {
  readonly #ready: Ready<T>[];
  readonly #visit: Visitor<T>;
  readonly #options: WalkOptions;
  readonly #outcomes = new Map<string, Exclude<NodeOutcome, "done">>();
  readonly #suspended = new Map<Promise<unknown>, Ready<T>[]>();
  readonly #waiting: Ready<T>[] = [];
  /**
   * The index of the next node in `#ready`. Visited nodes stay in the array, because each removal would move thousands of
   * entries.
   */
  #next = 0;
  #running = 0;
  #isStopped = false;
  #thrown: { readonly problem: unknown } | undefined;
  #resolve = (): void => {};

  constructor(graph: Graph<T>, visit: Visitor<T>, options: WalkOptions) {
    this.#ready = initiallyReady(graph);
    this.#visit = visit;
    this.#options = options;
  }

  async run(): Promise<Outcomes> {
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      this.#startReady();
    });
    if (this.#thrown !== undefined) throw this.#thrown.problem;
    return this.#outcomes;
  }

  #startReady(): void {
    const ready = this.#ready;
    while (this.#next < ready.length && this.#running < this.#options.concurrency) {
      const one = ready[this.#next++]!;
      const isReachable =
        !(one instanceof Visit) || one.dependencies.every(({ outcome }) => outcome === "done");
      if (isReachable && !this.#isEnding()) this.#start(one);
      else this.#finish(one, "skipped");
    }
    if (this.#running + this.#suspended.size > 0 || this.#next < ready.length) return;
    if (this.#waiting.length === 0) this.#resolve();
    else this.#resume(this.#waiting.splice(0));
  }

  #resume(waiting: readonly Ready<T>[]): void {
    const { onIdle = async () => Promise.reject(new Error("Nothing resumes the nodes that wait")) } =
      this.#options;
    this.#running++;
    onIdle(this.#outcomes)
      .catch((problem: unknown) => {
        this.#thrown ??= { problem };
      })
      .then(() => {
        this.#running--;
        for (const each of waiting) this.#ready.push(each);
        this.#startReady();
      });
  }

  #isEnding = (): boolean =>
    this.#isStopped || this.#thrown !== undefined || this.#options.signal?.aborted === true;

  /** Starts the visit of a node. Most visits of a large plan return no promise, and such a visit ends at once. */
  #start(one: Ready<T>): void {
    let outcome: Visited | Promise<Visited>;
    try {
      const { id, value } = nodeOf(one);
      outcome = this.#visit(id, value);
    } catch (problem) {
      this.#fail(one, problem);
      return;
    }
    if (!(outcome instanceof Promise)) {
      this.#end(one, outcome);
      return;
    }
    this.#running++;
    outcome
      .then(
        (found) => this.#end(one, found),
        (problem: unknown) => this.#fail(one, problem),
      )
      .then(() => {
        this.#running--;
        this.#startReady();
      });
  }

  #end(one: Ready<T>, visited: Visited): void {
    if (visited instanceof RevisitAfter) this.#suspend(one, visited.ended);
    else if (visited === "waiting") this.#waiting.push(one);
    else this.#finish(one, visited);
  }

  #suspend(one: Ready<T>, ended: Promise<unknown>): void {
    const others = this.#suspended.get(ended);
    if (others !== undefined) {
      others.push(one);
      return;
    }
    const waiting = [one];
    this.#suspended.set(ended, waiting);
    const resume = (): void => {
      this.#suspended.delete(ended);
      for (const each of waiting) this.#ready.push(each);
      this.#startReady();
    };
    ended.then(resume, resume);
  }

  #fail(one: Ready<T>, problem: unknown): void {
    const { recover } = this.#options;
    if (recover !== undefined) {
      try {
        this.#end(one, recover(nodeOf(one).id, problem));
        return;
      } catch (another) {
        this.#thrown ??= { problem: another };
      }
    }
    this.#thrown ??= { problem };
    this.#finish(one, "failed");
  }

  #finish(one: Ready<T>, outcome: NodeOutcome): void {
    if (outcome !== "done") this.#outcomes.set(nodeOf(one).id, outcome);
    if (outcome === "failed" && this.#options.failFast) this.#isStopped = true;
    if (one instanceof Visit) this.#free(one, outcome);
  }

  #free(visited: Visit<T>, outcome: NodeOutcome): void {
    visited.outcome = outcome;
    const { dependents = [] } = visited;
    for (let index = 0; index < dependents.length; index += 1) {
      const one = dependents[index]!;
      if (!(one instanceof Visit) && outcome !== "done") this.#finish(one, "skipped");
      else if (!(one instanceof Visit) || --one.unfinished === 0) this.#ready.push(one);
    }
  }
}

const nodeOf = <T>(one: Ready<T>): GraphNode<T> => (one instanceof Visit ? one.node : one);

/**
 * Returns the nodes without dependencies, in topological order. Each other node is recorded as a dependent of the nodes that it
 * depends on.
 */
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
