import fc from "fast-check";
import type { ReportObject } from "../../../../src/cli/document/model";
import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { connectedParts, layOut, shapeOf } from "../../../../src/cli/reports/formats/html/graph";
import { runs, seed } from "../../../support/capabilities";
import { parsePage, problemsOf } from "../../support/html";
import { largeReport } from "../support/large";

const object = (
  address: string,
  dependsOn: readonly string[] = [],
  action: ReportObject["action"] = "create",
) =>
  ({
    address,
    type: address.split(".")[0]!,
    status: action === "no-op" ? "unchanged" : "planned",
    action,
    attributes: [],
    diagnostics: [],
    ...(dependsOn.length > 0 && { depends_on: [...dependsOn] }),
  }) as ReportObject;

const sizes = { width: 100, height: 40, columnGap: 50, rowGap: 10 };

describe("the graph of a report", () => {
  test("the graph of a report has changed declarations and what they depend on, and none without a connection", () => {
    const parts = connectedParts([
      object('a.one["x"]', ["b.two"]),
      object('a.one["y"]', ["b.two"]),
      object("b.two", ["c.three"], "no-op"),
      object("d.four"),
    ]);
    expect(parts.map((part) => [...part.keys()].sort())).toEqual([["a.one", "b.two"]]);
    expect(parts[0]!.get("a.one")!.objects).toHaveLength(2);
    expect(parts[0]!.get("b.two")!.objects).toHaveLength(1);
  });

  test("draws parts that look the same once, and 300 equal dependents as one node", () => {
    const same = (name: string) => [object(`a.${name}`, [`b.${name}`]), object(`b.${name}`)];
    const shapes = connectedParts([
      ...same("x"),
      ...same("y"),
      object("a.z", ["b.z"], "update"),
      object("b.z"),
    ]).map((part) => shapeOf(part).key);
    expect(shapes[0]).toBe(shapes[1]);
    expect(shapes[2]).not.toBe(shapes[0]);
    const hub = connectedParts([
      object("b.hub"),
      ...Array.from({ length: 300 }, (_, at) => object(`a.n${at}`, ["b.hub"])),
    ]);
    expect(shapeOf(hub[0]!).nodes.map(({ count }) => count)).toEqual(expect.arrayContaining([1, 300]));
    expect(shapeOf(hub[0]!).nodes).toHaveLength(2);
  });

  test("leaves out edges that follow from others", () => {
    const [part] = connectedParts([object("a.x", ["b.x", "c.x"]), object("b.x", ["c.x"]), object("c.x")]);
    const { nodes } = shapeOf(part!);
    const edges = nodes.flatMap(({ node, dependsOn }) =>
      dependsOn.map((key) => [node.address, nodes.find((one) => one.key === key)!.node.address]),
    );
    expect(edges.sort()).toEqual([
      ["a.x", "b.x"],
      ["b.x", "c.x"],
    ]);
  });

  test("lays out every node once, right of what it depends on, without overlaps", () => {
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
        const { places, edges, width, height } = layOut(nodes, sizes);
        expect(places.size).toBe(nodes.length);
        expect(edges).toHaveLength(nodes.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0));
        for (const { from, to } of edges) expect(places.get(to)!.x).toBeGreaterThan(places.get(from)!.x);
        const all = [...places.values()];
        for (const [at, one] of all.entries()) {
          expect(
            one.x >= 0 && one.y >= 0 && one.x + sizes.width <= width && one.y + sizes.height <= height,
          ).toBe(true);
          for (const other of all.slice(at + 1))
            expect(one.x !== other.x || Math.abs(one.y - other.y) >= sizes.height).toBe(true);
        }
      }),
      { numRuns: runs(60, 2_000), seed },
    );
  });

  test("the graph of 600 changes has drawings, links to their changes, and a list of all as text", () => {
    const contents = htmlReport(largeReport(600));
    expect(problemsOf(contents)).toEqual([]);
    const { elements } = parsePage(contents);
    const section = elements.find(({ attributes }) => attributes["id"] === "dependencies")!;
    expect(section.text).toContain("The same 200 times");
    expect(section.text.match(/ depends on /g)).toHaveLength(400);
    expect(elements.filter(({ name }) => name === "svg")).toHaveLength(1);
  });

  test("the graph of a cycle, which no plan has, ends", () => {
    const nodes = [
      { key: "a", dependsOn: ["b"] },
      { key: "b", dependsOn: ["a"] },
    ];
    expect(layOut(nodes, sizes).places.size).toBe(2);
    expect(shapeOf(connectedParts([object("a.x", ["b.x"]), object("b.x", ["a.x"])])[0]!).nodes).toHaveLength(
      2,
    );
  });
});
