// Plants code whose cost grows with the square of the number of objects, one piece at a time. Checks whether the count
// of work finds each planted piece of code. `npm test` and `npm run gate` use this count.
import { described, readLimits, unknownIn } from "../../test/growth/support/limits";
import { countGrowth, fixtureFor } from "../../test/growth/support/measure-growth";
import type { Planted } from "../../test/growth/support/results";
import { ServiceProcess } from "../support/service-process";

interface Quadratic extends Planted {
  readonly what: string;
}

const SIZE = 12;
const SCENE = "estate";

export const QUADRATICS: readonly Quadratic[] = [
  {
    what: "a loop over all objects for each resource",
    file: "src/engine/plan/plan-graph.ts",
    from: "  hasSurplus(of: ResourceVisit): boolean {",
    to: "  hasSurplus(of: ResourceVisit): boolean {\n for (const each of this.#readable) void each;",
  },
  {
    what: "a search by callback for each step of an apply",
    file: "src/engine/apply/apply-plan.ts",
    from: 'if (this.#rights.isRefused(step)) return "failed";',
    to: 'if (this.plan.steps.find((each) => each === step) && this.#rights.isRefused(step)) return "failed";',
  },
  {
    what: "`includes` for each node of the graph",
    file: "src/engine/declarations/graph.ts",
    from: "  add(id: string, value: T, dependencies: readonly string[] | Set<string> = []): void {",
    to: "  #added: string[] = [];\n  add(id: string, value: T, dependencies: readonly string[] | Set<string> = []): void {\n if (!this.#added.includes(id)) this.#added.push(id);",
  },
  {
    what: "a list copied for each object, by a spread",
    file: "src/engine/plan/plan-graph.ts",
    from: "    return this.#heldAt.get(address);",
    to: "    (this as any).list = [...((this as any).list ?? []), address];\n return this.#heldAt.get(address);",
  },
  {
    what: "an object copied for each object of a report, by a spread",
    file: "src/cli/reports/stack-collector.ts",
    from: "    for (const object of objects) this.#objects.set(objectName(object.address, object.deposed), object);",
    to: "    for (const object of objects) { this.#objects.set(objectName(object.address, object.deposed), object);\n (this as any).byName = { ...(this as any).byName, [object.address]: object }; }",
  },
  {
    what: "a text made anew for each object of a report",
    file: "src/cli/reports/stack-collector.ts",
    from: "    for (const object of objects) this.#objects.set(objectName(object.address, object.deposed), object);",
    to: '    for (const object of objects) { this.#objects.set(objectName(object.address, object.deposed), object);\n (this as any).text = `${(this as any).text ?? ""}${object.address}`.replaceAll("\\r", ""); }',
  },
  {
    what: "a set copied for each visited node",
    file: "src/engine/declarations/walk.ts",
    from: '    if (outcome === "failed" && this.#options.failFast) this.#isStopped = true;',
    to: '    if (outcome === "failed" && this.#options.failFast) this.#isStopped = true;\n new Set(this.#ready);',
  },
  {
    what: "a list copied for each resource of a state that is read",
    file: "src/state/format/file-format.ts",
    from: "    const resource = readResource(one);",
    to: "    Array.from(resources);\n const resource = readResource(one);",
  },
];

async function finderOf(planted: Quadratic): Promise<string> {
  const limits = readLimits();
  const work = await withService(SIZE, (place) =>
    countGrowth({ place, size: SIZE, scenes: [SCENE], planted }),
  );
  const [place] = work.flatMap((counted) => unknownIn(counted, limits));
  return place === undefined ? "NOT FOUND" : `work: ${described(place)}`;
}

async function withService<Result>(
  size: number,
  work: (place: { url: string; token: string }) => Promise<Result>,
): Promise<Result> {
  const service = await ServiceProcess.start({ fixture: fixtureFor(size) });
  try {
    return await work({ url: service.url, token: service.token });
  } finally {
    await service.close();
  }
}

/** Prints a table that shows how each planted cost is found. Returns true if all planted costs are found. */
export async function findPlanted(): Promise<boolean> {
  process.stdout.write("| planted | where | found by |\n|---|---|---|\n");
  let isAll = true;
  for (const planted of QUADRATICS) {
    const finder = await finderOf(planted);
    process.stdout.write(`| ${planted.what} | \`${planted.file}\` | ${finder} |\n`);
    if (finder === "NOT FOUND") isAll = false;
  }
  return isAll;
}
