import fc from "fast-check";
import { ACTIONS } from "../../../../src/cli/reports/formats/entries";
import { htmlReport } from "../../../../src/cli/reports/formats/html";
import {
  connectedDeclarations,
  type GraphObject,
  layOut,
  nodesOf,
} from "../../../../src/cli/reports/formats/html/graph";
import { runs, seed } from "../../../support/capabilities";
import { parsePage, problemsOf } from "../../support/html";
import { largeReport } from "../support/large";

const object = (
  address: string,
  dependsOn: readonly string[] = [],
  action: keyof typeof ACTIONS = "create",
): GraphObject => ({
  address,
  label: ACTIONS[action],
  isChanged: action !== "no-op",
  dependsOn: dependsOn.length > 0 ? dependsOn : undefined,
  id: undefined,
});

const graphOf = (...objects: readonly GraphObject[]) => nodesOf(connectedDeclarations(objects));

describe("the graph of a report", () => {
  test("the graph leaves out a declaration without a dependency in either direction", () => {
    const found = connectedDeclarations([
      object('a.one["x"]', ["b.two"]),
      object('a.one["y"]', ["b.two"]),
      object("b.two", ["c.three"], "no-op"),
      object("d.four"),
    ]);
    expect([...found.keys()].sort()).toEqual(["a.one", "b.two"]);
    expect(found.get("a.one")!.objects).toHaveLength(2);
    expect(found.get("b.two")!.objects).toHaveLength(1);
  });

  test("in a large graph, all objects of one type with the same action are one node", () => {
    const nodes = graphOf(
      object("b.hub"),
      object("a.other", ["b.hub"], "update"),
      ...Array.from({ length: 300 }, (_, at) => object(`a.n${at}`, ["b.hub", "gone.away"])),
    );
    expect(nodes.map(({ key, objects }) => [key, objects.length]).sort()).toEqual([
      ["a add", 300],
      ["a change", 1],
      ["b add", 1],
      ["gone unchanged", 0],
    ]);
    expect(nodes.find(({ key }) => key === "a add")!.dependsOn.toSorted()).toEqual([
      "b add",
      "gone unchanged",
    ]);
  });

  test("each text of a node is inside the node's box", () => {
    const page = htmlReport(largeReport(6));
    const nodes = [
      ...page.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"[^>]*>(.*?)<\/(?:g|a)>/gs),
    ];
    expect(nodes.length).toBeGreaterThan(0);
    for (const [, ...parts] of nodes) {
      const [x, y, width, height] = parts.slice(0, 4).map(Number) as [number, number, number, number];
      const texts = [...parts[4]!.matchAll(/<text(?: class="\w+")? x="(-?\d+)" y="(-?\d+)"/g)];
      expect(texts).toHaveLength(3);
      for (const [, left, baseline] of texts) {
        expect(Number(left)).toBeGreaterThan(x);
        expect(Number(left)).toBeLessThan(x + width);
        expect(Number(baseline)).toBeGreaterThan(y);
        expect(Number(baseline)).toBeLessThan(y + height);
      }
    }
  });

  test("the graph shows each node to the right of its dependencies", () => {
    const graphs = fc.integer({ min: 1, max: 25 }).chain((count) =>
      fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 60 }).map((pairs) =>
        Array.from({ length: count }, (_, at) => ({
          key: String(at),
          dependsOn: [
            ...new Set(pairs.filter(([from, to]) => from === at && to < at).map(([, to]) => String(to))),
          ],
        })),
      ),
    );
    fc.assert(
      fc.property(graphs, (nodes) => {
        const places = layOut(nodes);
        expect(places.size).toBe(nodes.length);
        for (const { key, dependsOn } of nodes)
          for (const other of dependsOn) expect(places.get(key)!.x).toBeGreaterThan(places.get(other)!.x);
        const all = [...places.values()].map(({ x, y }) => `${x} ${y}`);
        expect(new Set(all).size).toBe(all.length);
      }),
      { numRuns: runs(25, 2_000), seed },
    );
  });

  test("the page with the graph of 600 changes also lists all dependencies as text", () => {
    const contents = htmlReport(largeReport(600));
    expect(problemsOf(contents)).toEqual([]);
    const { elements } = parsePage(contents);
    const section = elements.find(({ attributes }) => attributes["id"] === "dependencies")!;
    expect(section.text).toContain("× 200");
    expect(section.text.match(/ depends on /g)).toHaveLength(400);
    expect(elements.filter(({ name }) => name === "svg")).toHaveLength(1);
  });

  test("the graph of two objects that depend on each other contains both objects", () => {
    const nodes = graphOf(object("a.x", ["b.x"]), object("b.x", ["a.x"]));
    expect(layOut(nodes).size).toBe(2);
  });
});
