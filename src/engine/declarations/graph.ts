import { fail } from "../../diagnostics";

/** A node of a graph. Nodes with the same dependencies can share the list. */
export interface GraphNode<T> {
  readonly id: string;
  readonly value: T;
  readonly dependencies: readonly string[] | Set<string>;
}

/**
 * A directed graph of nodes and their dependencies. A dependency on a node that is not in the graph is
 * ignored.
 */
export class Graph<T> {
  #nodes: Map<string, GraphNode<T>>;
  /** Whether another graph uses the same map of nodes. A shared map is copied before a change. */
  #isShared = false;
  /**
   * The ids of nodes that `connect` has copied for this graph. No other graph contains these copies, so `connect` may change
   * them.
   */
  readonly #own = new Set<string>();
  #order: readonly GraphNode<T>[] | undefined;
  /** The ids of the nodes that have dependents; undefined before the first use. */
  #needed: ReadonlySet<string> | undefined;

  constructor(nodes: Graph<T> | undefined = undefined) {
    this.#nodes = nodes === undefined ? new Map() : nodes.#nodes;
    if (nodes === undefined) return;
    this.#isShared = true;
    nodes.#isShared = true;
    this.#order = nodes.#order;
    this.#needed = nodes.#needed;
    // Both graphs now share all nodes. The graph `nodes` must therefore copy a node again before it changes the node.
    nodes.#own.clear();
  }

  /** Returns a copy with the same nodes. Changes of the copy do not change this graph. */
  copy(): Graph<T> {
    return new Graph(this);
  }

  add(id: string, value: T, dependencies: readonly string[] | Set<string> = []): void {
    this.#unshare();
    const isDistinct = Array.isArray(dependencies) && dependencies.length < 2;
    this.#nodes.set(id, { id, value, dependencies: isDistinct ? dependencies : [...new Set(dependencies)] });
    if (this.#own.size > 0) this.#own.delete(id);
  }

  /** Copies the shared map before a change. */
  #unshare(): void {
    if (this.#isShared) this.#nodes = new Map(this.#nodes);
    this.#isShared = false;
    this.#order = undefined;
    this.#needed = undefined;
  }

  has(id: string): boolean {
    return this.#nodes.has(id);
  }

  get ids(): string[] {
    return [...this.#nodes.keys()];
  }

  value(id: string): T | undefined {
    return this.#nodes.get(id)?.value;
  }

  dependenciesOf(id: string): string[] {
    const found: string[] = [];
    for (const other of this.#nodes.get(id)?.dependencies ?? [])
      if (this.#nodes.has(other)) found.push(other);
    return found;
  }

  /** Returns whether a node has no dependencies. */
  isIndependent(id: string): boolean {
    const dependencies = this.#nodes.get(id)?.dependencies;
    return Array.isArray(dependencies) && dependencies.length === 0;
  }

  /** Returns whether another node depends on this node. */
  isNeeded(id: string): boolean {
    this.#needed ??= this.#dependedOn();
    return this.#needed.has(id);
  }

  #dependedOn(): ReadonlySet<string> {
    const needed = new Set<string>();
    let last: GraphNode<T>["dependencies"] | undefined;
    this.#nodes.forEach(({ dependencies }) => {
      if (dependencies === last) return;
      last = dependencies;
      for (const id of dependencies) if (this.#nodes.has(id)) needed.add(id);
    });
    return needed;
  }

  /**
   * Returns the ids of all dependencies with which a node was added. The result can include ids that are not in the
   * graph.
   */
  declaredDependencies(id: string): string[] {
    return [...(this.#nodes.get(id)?.dependencies ?? [])];
  }

  connect(id: string, dependency: string): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    // A copy of the graph may share this node, so the first change replaces the node instead of changing it.
    const isOwn = this.#own.has(id);
    this.#unshare();
    const dependencies = isOwn ? (node.dependencies as Set<string>) : new Set(node.dependencies);
    dependencies.add(dependency);
    if (isOwn) return;
    this.#nodes.set(id, { id, value: node.value, dependencies });
    this.#own.add(id);
  }

  /**
   * Returns the nodes in topological order, each after its dependencies.
   *
   * @param onCycle throws the error for a cycle, whose ids begin and end with the same id
   * @throws DiagnosticError by default, `dependency_cycle` with the ids of the cycle
   */
  topologicalOrder(onCycle = failOnCycle): readonly GraphNode<T>[] {
    this.#order ??= this.#ordered(onCycle);
    return this.#order;
  }

  #ordered(onCycle: (ids: readonly string[]) => never): GraphNode<T>[] {
    const ordered: GraphNode<T>[] = [];
    const state = new Map<string, "open" | "done">();
    let ready: GraphNode<T>["dependencies"] | undefined;
    this.#nodes.forEach((node) => {
      const { id: start, dependencies } = node;
      const isNeeded = this.isNeeded(start);
      if (isNeeded && state.has(start)) return;
      // Most nodes need only nodes that are already ordered, such as their provider. Such nodes need no traversal.
      if (dependencies === ready || this.#isReady(dependencies, state)) {
        ready = dependencies;
        if (isNeeded) state.set(start, "done");
        ordered.push(node);
        return;
      }
      // The traversal uses an explicit stack, because the dependency chains of large configurations can exceed the call stack.
      const stack: { id: string; rest: string[] }[] = [];
      const enter = (id: string) => {
        state.set(id, "open");
        stack.push({ id, rest: this.dependenciesOf(id) });
      };
      enter(start);
      while (stack.length > 0) {
        const top = stack.at(-1)!;
        const next = top.rest.pop();
        if (next === undefined) {
          state.set(top.id, "done");
          ordered.push(this.#nodes.get(top.id)!);
          stack.pop();
        } else if (state.get(next) === "open") {
          onCycle([...stack.map(({ id }) => id).slice(stack.findIndex(({ id }) => id === next)), next]);
        } else if (!state.has(next)) enter(next);
      }
    });
    return ordered;
  }

  #isReady(
    dependencies: GraphNode<T>["dependencies"],
    state: ReadonlyMap<string, "open" | "done">,
  ): dependencies is readonly string[] {
    if (!Array.isArray(dependencies) || dependencies.length > 1) return false;
    return dependencies.every((other) => state.get(other) === "done" || !this.#nodes.has(other));
  }

  /** Returns the ids of these nodes and of all their direct and indirect dependencies. */
  closure(ids: Iterable<string>): Set<string> {
    return reached([...ids], (id) => (this.#nodes.has(id) ? this.dependenciesOf(id) : undefined));
  }

  /**
   * Returns the ids of all direct and indirect dependents of the given nodes. A given node is included only if it depends on
   * another given node.
   */
  dependents(ids: Iterable<string>): Set<string> {
    const users = new Map<string, string[]>(this.ids.map((id) => [id, []]));
    for (const id of users.keys())
      for (const dependency of this.dependenciesOf(id)) users.get(dependency)!.push(id);
    return reached(
      [...ids].flatMap((id) => users.get(id) ?? []),
      (id) => users.get(id),
    );
  }

  /** Returns a graph that contains only these nodes. */
  subgraph(ids: ReadonlySet<string>): Graph<T> {
    const graph = new Graph<T>();
    for (const [id, { value, dependencies }] of this.#nodes)
      if (ids.has(id)) graph.add(id, value, dependencies);
    return graph;
  }
}

function failOnCycle(ids: readonly string[]): never {
  return fail({
    code: "dependency_cycle",
    summary: "Dependency cycle",
    detail: `These objects depend on each other: ${ids.join(" -> ")}. Remove one of the references.`,
  });
}

/**
 * Returns the dependencies between nodes of one kind, such as managed resources, by the id of the dependent. Includes
 * dependencies through nodes of other kinds, but not through another node of this kind. Each list is sorted.
 */
export function dependenciesBetween(
  ids: Iterable<string>,
  dependenciesOf: (id: string) => readonly string[],
  isKind: (id: string) => boolean,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const id of ids) {
    if (!isKind(id)) continue;
    const all = reached([...dependenciesOf(id)], (one) => (isKind(one) ? [] : dependenciesOf(one)));
    found.set(id, [...all].filter((one) => one !== id && isKind(one)).sort());
  }
  return found;
}

/** Returns the ids in `open`, and all ids reachable from them. An id for which `next` returns undefined is left out. */
export function reached(open: string[], next: (id: string) => Iterable<string> | undefined): Set<string> {
  const found = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const following = found.has(id) ? undefined : next(id);
    if (following === undefined) continue;
    found.add(id);
    open.push(...following);
  }
  return found;
}
