import { fail } from "../../diagnostics";

/**
 * A directed graph of nodes and their dependencies. A dependency on a node that is not in the graph is
 * ignored.
 */
export class Graph<T> {
  #nodes: Map<string, { readonly value: T; readonly dependencies: readonly string[] | Set<string> }>;
  /** Whether another graph has the same map: it is copied before it changes. */
  #isShared = false;
  /** The nodes that were connected and that no other graph shares. */
  readonly #own = new Set<string>();
  #order: readonly string[] | undefined;

  constructor(nodes: Graph<T> | undefined = undefined) {
    this.#nodes = nodes === undefined ? new Map() : nodes.#nodes;
    if (nodes === undefined) return;
    this.#isShared = true;
    nodes.#isShared = true;
    this.#order = nodes.#order;
    // Shared from now on.
    nodes.#own.clear();
  }

  /** A copy with the same nodes; nodes added to it leave this graph unchanged. */
  copy(): Graph<T> {
    return new Graph(this);
  }

  add(id: string, value: T, dependencies: readonly string[] | Set<string> = []): void {
    this.#unshare();
    const isDistinct = Array.isArray(dependencies) && dependencies.length < 2;
    this.#nodes.set(id, { value, dependencies: isDistinct ? dependencies : [...new Set(dependencies)] });
    this.#own.delete(id);
    this.#order = undefined;
  }

  #unshare(): void {
    if (this.#isShared) this.#nodes = new Map(this.#nodes);
    this.#isShared = false;
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

  /** The dependency of a node that has one alone, if that is in the graph. */
  onlyDependencyOf(id: string): string | undefined {
    const dependencies = this.#nodes.get(id)?.dependencies;
    const only = Array.isArray(dependencies) && dependencies.length === 1 ? dependencies[0] : undefined;
    return only !== undefined && this.#nodes.has(only) ? only : undefined;
  }

  /** Whether a node has no dependencies. */
  isIndependent(id: string): boolean {
    const dependencies = this.#nodes.get(id)?.dependencies;
    return Array.isArray(dependencies) && dependencies.length === 0;
  }

  /** All dependencies that a node was added with, including those that are not in the graph. */
  declaredDependencies(id: string): string[] {
    return [...(this.#nodes.get(id)?.dependencies ?? [])];
  }

  connect(id: string, dependency: string): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    // A copy shares this node, so it is replaced once.
    const isOwn = this.#own.has(id);
    this.#unshare();
    const dependencies = isOwn ? (node.dependencies as Set<string>) : new Set(node.dependencies);
    dependencies.add(dependency);
    this.#order = undefined;
    if (isOwn) return;
    this.#nodes.set(id, { value: node.value, dependencies });
    this.#own.add(id);
  }

  /**
   * The ids in topological order, each after its dependencies.
   *
   * @throws DiagnosticError `dependency_cycle`, which names the cycle
   */
  topologicalOrder(): readonly string[] {
    this.#order ??= this.#ordered();
    return this.#order;
  }

  #ordered(): string[] {
    const ordered: string[] = [];
    const state = new Map<string, "open" | "done">();
    for (const start of this.#nodes.keys()) {
      if (state.has(start)) continue;
      // Most nodes need only what is ordered already, such as their provider.
      if (this.#isReady(start, state)) {
        state.set(start, "done");
        ordered.push(start);
        continue;
      }
      // An explicit stack: large configurations have chains longer than the call stack is deep.
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
          ordered.push(top.id);
          stack.pop();
        } else if (state.get(next) === "open") {
          failOnCycle([...stack.map(({ id }) => id).slice(stack.findIndex(({ id }) => id === next)), next]);
        } else if (!state.has(next)) enter(next);
      }
    }
    return ordered;
  }

  #isReady(id: string, state: ReadonlyMap<string, "open" | "done">): boolean {
    const { dependencies } = this.#nodes.get(id)!;
    if (!Array.isArray(dependencies) || dependencies.length > 1) return false;
    return dependencies.every((other) => state.get(other) === "done" || !this.#nodes.has(other));
  }

  /** The nodes and all their direct and indirect dependencies. */
  closure(ids: Iterable<string>): Set<string> {
    return reached([...ids], (id) => (this.#nodes.has(id) ? this.dependenciesOf(id) : undefined));
  }

  /** What depends on these nodes, directly or indirectly; one of them only if it depends on another. */
  dependents(ids: Iterable<string>): Set<string> {
    const users = new Map<string, string[]>(this.ids.map((id) => [id, []]));
    for (const id of users.keys())
      for (const dependency of this.dependenciesOf(id)) users.get(dependency)!.push(id);
    return reached(
      [...ids].flatMap((id) => users.get(id) ?? []),
      (id) => users.get(id),
    );
  }

  /** The subgraph of these nodes. */
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
    detail: `These depend on each other in a cycle: ${ids.join(" -> ")}. Remove one of the references.`,
  });
}

/** These ids, and what is reached from them; an id that leads to undefined is none. */
function reached(open: string[], next: (id: string) => Iterable<string> | undefined): Set<string> {
  const found = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const following = found.has(id) ? undefined : next(id);
    if (following === undefined) continue;
    found.add(id);
    open.push(...following);
  }
  return found;
}
