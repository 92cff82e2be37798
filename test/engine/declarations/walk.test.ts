import * as fc from "fast-check";
import { Graph } from "../../../src/engine/declarations/graph";
import { RevisitAfter, walk } from "../../../src/engine/declarations/walk";
import { runs, seed } from "../../support/capabilities";

const CONCURRENT = { concurrency: 100 };

function graphOf(edges: Record<string, string[]>): Graph<string> {
  const graph = new Graph<string>();
  for (const [id, dependencies] of Object.entries(edges)) graph.add(id, id, dependencies);
  return graph;
}

/** Generates acyclic graphs, in which a node depends only on earlier nodes. */
const acyclic = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 30 })
  .map((nodes) =>
    graphOf(
      Object.fromEntries(
        nodes.map((wanted, index) => [`n${index}`, index === 0 ? [] : wanted.map((n) => `n${n % index}`)]),
      ),
    ),
  );

describe("walking a graph", () => {
  test("visits each node once, after the node's dependencies", async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, fc.integer({ min: 1, max: 5 }), async (graph, concurrency) => {
        const done = new Set<string>();
        let underWay = 0;
        await walk(
          graph,
          async (id) => {
            expect(++underWay).toBeLessThanOrEqual(concurrency);
            expect(done.has(id)).toBe(false);
            for (const dependency of graph.dependenciesOf(id)) expect(done.has(dependency)).toBe(true);
            await new Promise((resolve) => setImmediate(resolve));
            done.add(id);
            underWay--;
            return "done" as const;
          },
          { concurrency },
        );
        expect([...done].sort()).toEqual(graph.ids.sort());
      }),
      { numRuns: runs(50, 2_000), seed },
    );
  });

  test("skips all dependents of a failed node, and no other node", async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, fc.nat(), async (graph, pick) => {
        const bad = graph.ids[pick % graph.ids.length]!;
        const outcomes = await walk(graph, async (id) => (id === bad ? "failed" : "done"), CONCURRENT);
        for (const id of graph.ids) {
          const unharmed = graph.closure([id]).has(bad) ? "skipped" : "done";
          const expected = id === bad ? "failed" : unharmed;
          expect(outcomes.get(id) ?? "done").toBe(expected);
        }
      }),
      { numRuns: runs(50, 2_000), seed },
    );
  });

  test("starts no visit after an abort, and awaits running visits", async () => {
    const stop = new AbortController();
    const finished: string[] = [];
    const outcomes = await walk(
      graphOf({ a: [], b: ["a"], c: ["b"] }),
      async (id) => {
        if (id === "b") stop.abort();
        await new Promise((resolve) => setImmediate(resolve));
        finished.push(id);
        return "done" as const;
      },
      { concurrency: 1, signal: stop.signal },
    );
    expect(finished).toEqual(["a", "b"]);
    expect(outcomes.get("c")).toBe("skipped");
  });

  test("if the visit of a node returns RevisitAfter, the second visit comes before the visits of the dependents", async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, fc.nat(), fc.boolean(), async (graph, pick, isRejected) => {
        const settled = new Promise<void>((resolve) => setImmediate(resolve));
        const ended = isRejected ? settled.then(() => Promise.reject(new Error("a fault"))) : settled;
        ended.catch(() => undefined);
        const waiting = new Set(graph.ids.filter((_, index) => index % (1 + (pick % 3)) === 0));
        const done = new Set<string>();
        const visit = (id: string) => {
          if (waiting.delete(id)) return new RevisitAfter(ended);
          for (const dependency of graph.dependenciesOf(id)) expect(done.has(dependency)).toBe(true);
          done.add(id);
          return "done" as const;
        };
        expect((await walk(graph, visit, { concurrency: 1 })).size).toBe(0);
        expect([...done].sort()).toEqual(graph.ids.sort());
      }),
      { numRuns: runs(50, 2_000), seed },
    );
  });

  test('if a first visit returns "waiting", the second visit comes after all other nodes and before the dependents', async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, fc.nat(), fc.nat(), async (graph, pick, failing) => {
        const bad = graph.ids[failing % graph.ids.length]!;
        const isWaiting = (id: string) => graph.ids.indexOf(id) % (2 + (pick % 3)) === 0;
        const visits: string[] = [];
        const visit = (id: string) => {
          visits.push(id);
          if (isWaiting(id) && visits.filter((one) => one === id).length === 1) return "waiting";
          return id === bad ? "failed" : "done";
        };
        const rounds: string[][] = [];
        const onIdle = async () => void rounds.push([...new Set(visits)]);
        const outcomes = await walk(graph, visit, { concurrency: 2, onIdle });
        const reachable = graph.ids.filter((id) => !graph.closure(graph.dependenciesOf(id)).has(bad));
        expect(visits.toSorted()).toEqual(
          reachable.flatMap((id) => (isWaiting(id) ? [id, id] : [id])).toSorted(),
        );
        expect([...outcomes.keys()].filter((id) => id !== bad).toSorted()).toEqual(
          graph.ids.filter((id) => !reachable.includes(id)).toSorted(),
        );
        for (const [number, visited] of rounds.entries()) {
          const isFree = (id: string) =>
            [...graph.closure([id])].filter(isWaiting).length <= number && reachable.includes(id);
          for (const id of graph.ids.filter(isFree)) expect(visited).toContain(id);
        }
      }),
      { numRuns: runs(50, 2_000), seed },
    );
  });

  test("if onIdle throws an exception, the walk fails with this exception", async () => {
    const visits: string[] = [];
    const visit = (id: string) => {
      visits.push(id);
      return "waiting" as const;
    };
    const onIdle = () => Promise.reject(new Error("a fault"));
    await expect(walk(graphOf({ a: [], b: ["a"] }), visit, { ...CONCURRENT, onIdle })).rejects.toThrow(
      "a fault",
    );
    expect(visits).toEqual(["a"]);
  });

  test("with failFast, the walk starts no visit after the first failure", async () => {
    const graph = graphOf({ a: [], b: [], c: [] });
    const outcomes = await walk(graph, () => "failed", { concurrency: 1, failFast: true });
    expect([...outcomes.values()]).toEqual(["failed", "skipped", "skipped"]);
  });

  test("throws the exception of a visit after the running visits have ended", async () => {
    const finished: string[] = [];
    const walking = walk(
      graphOf({ a: [], b: [] }),
      async (id) => {
        if (id === "a") throw new Error("a fault");
        await new Promise((resolve) => setImmediate(resolve));
        finished.push(id);
        return "done" as const;
      },
      CONCURRENT,
    );
    await expect(walking).rejects.toThrow("a fault");
    expect(finished).toEqual(["b"]);
  });
});

describe("ordering a graph", () => {
  test("if a graph has a cycle, the error names the cycle", () => {
    expect(() => graphOf({ a: ["b"], b: ["c"], c: ["a"] }).topologicalOrder()).toThrow(
      /depend on each other: .*->/,
    );
  });

  test("orders a chain that is too long for recursion", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, n) => [`n${n}`, n === 0 ? [] : [`n${n - 1}`]]),
    );
    expect(graphOf(chain).topologicalOrder()).toHaveLength(50_000);
  });
});
