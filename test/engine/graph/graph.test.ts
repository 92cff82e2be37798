import { Graph } from "../../../src/engine/graph/graph";

describe("a copy of a graph", () => {
  const original = () => {
    const graph = new Graph<string>();
    graph.add("a", "A");
    graph.add("b", "B", ["a"]);
    return graph;
  };

  test("a copy of a graph has the same nodes and dependencies", () => {
    const copy = original().copy();
    expect(copy.topologicalOrder()).toEqual(["a", "b"]);
    expect(copy.value("b")).toBe("B");
    expect(copy.dependenciesOf("b")).toEqual(["a"]);
  });

  test("gets nodes and dependencies that the original does not", () => {
    const graph = original();
    const copy = graph.copy();
    copy.add("c", "C");
    copy.connect("a", "c");
    copy.connect("b", "c");
    expect(copy.topologicalOrder()).toEqual(["c", "a", "b"]);
    expect(graph.topologicalOrder()).toEqual(["a", "b"]);
    expect(graph.dependenciesOf("a")).toEqual([]);
    expect(graph.dependenciesOf("b")).toEqual(["a"]);
  });
});
