import { fail } from "../../diagnostics";

/** Nodes with what they depend on. Dependencies on nodes that are not in the graph are passed over. */
export class Graph<T> {
  readonly #nodes: Map<string, { readonly value: T; readonly dependencies: ReadonlySet<string> }>;

  constructor(nodes: Graph<T> | undefined = undefined) {
    this.#nodes = new Map(nodes === undefined ? [] : nodes.#nodes);
  }

  /** The same nodes, to which others may be added. */
  copy(): Graph<T> {
    return new Graph(this);
  }

  add(id: string, value: T, dependencies: Iterable<string> = []): void {
    this.#nodes.set(id, { value, dependencies: new Set(dependencies) });
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

  /** Everything that a node was added with, be it in the graph or not. */
  namesIn(id: string): string[] {
    return [...(this.#nodes.get(id)?.dependencies ?? [])];
  }

  connect(id: string, dependency: string): void {
    const node = this.#nodes.get(id);
    // A copy may hold the same node.
    if (node !== undefined)
      this.#nodes.set(id, { ...node, dependencies: new Set(node.dependencies).add(dependency) });
  }

  /** The nodes from those that depend on nothing to those that depend on most. Fails on a circle, and names it. */
  order(): string[] {
    const ordered: string[] = [];
    const state = new Map<string, "open" | "done">();
    for (const start of this.#nodes.keys()) {
      // An explicit stack: estates have chains longer than the call stack is deep.
      const stack: { id: string; rest: string[] }[] = [];
      const enter = (id: string) => {
        state.set(id, "open");
        stack.push({ id, rest: this.dependenciesOf(id) });
      };
      if (!state.has(start)) enter(start);
      while (stack.length > 0) {
        const top = stack.at(-1)!;
        const next = top.rest.pop();
        if (next === undefined) {
          state.set(top.id, "done");
          ordered.push(top.id);
          stack.pop();
        } else if (state.get(next) === "open") {
          cycle([...stack.map(({ id }) => id).slice(stack.findIndex(({ id }) => id === next)), next]);
        } else if (!state.has(next)) enter(next);
      }
    }
    return ordered;
  }

  /** Everything that the nodes depend on, themselves included. */
  closure(ids: Iterable<string>): Set<string> {
    const found = new Set<string>();
    const open = [...ids];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (found.has(id) || !this.#nodes.has(id)) continue;
      found.add(id);
      open.push(...this.dependenciesOf(id));
    }
    return found;
  }

  /** The graph of these nodes alone. */
  only(ids: ReadonlySet<string>): Graph<T> {
    const graph = new Graph<T>();
    for (const [id, { value, dependencies }] of this.#nodes)
      if (ids.has(id)) graph.add(id, value, dependencies);
    return graph;
  }
}

function cycle(ids: readonly string[]): never {
  return fail({
    code: "dependency_cycle",
    summary: "Dependency cycle",
    detail: `These depend on each other in a cycle: ${ids.join(" -> ")}. Remove one of the references.`,
  });
}
