import fc from "fast-check";
import { repairTimes } from "../../../src/cli/history/history";
import { runs, seed } from "../../support/capabilities";
import { at, type Cell, known, lineOf, object, report, stack, traceOf } from "./support/reports";

const STACKS = ["shop", null] as const;
const OBJECTS = ["acme_a.one", "acme_b.two"] as const;
const ATTRIBUTES = ["level", "name"] as const;

/** The finding of one run about one object. */
interface Seen {
  readonly cell: Cell | "ignored" | "absent";
  /** True if the report omits the finding because an earlier run reported it. */
  readonly isKnown: boolean;
}

interface Run {
  readonly hours: number;
  readonly hasFailed: boolean;
  readonly isLimited: boolean;
  /**
   * The findings for each stack, in the order of the stacks. The element is undefined if the run does not contain the
   * stack.
   */
  readonly stacks: readonly (readonly Seen[] | undefined)[];
}

const seen: fc.Arbitrary<Seen> = fc.record({
  cell: fc.oneof(
    fc.constantFrom<Seen["cell"]>("in_sync", "in_sync", "vanished", "failed", "ignored", "absent"),
    fc.subarray([...ATTRIBUTES], { minLength: 1 }),
    fc.subarray([...ATTRIBUTES], { minLength: 1 }),
  ),
  isKnown: fc.boolean(),
});
const history: fc.Arbitrary<readonly Run[]> = fc.uniqueArray(
  fc.record({
    hours: fc.nat(40),
    hasFailed: fc.constantFrom(false, false, false, true),
    isLimited: fc.constantFrom(false, false, false, true),
    stacks: fc.tuple(
      ...STACKS.map(() => fc.option(fc.tuple(...OBJECTS.map(() => seen)), { nil: undefined, freq: 4 })),
    ),
  }),
  { minLength: 1, maxLength: 12, selector: ({ hours }) => hours },
);

function reportOf({ hours, hasFailed, isLimited, stacks }: Run) {
  const written = stacks.flatMap((objects, at) =>
    objects === undefined ? [] : [stackOf(STACKS[at]!, objects)],
  );
  return report(hours, written, {
    result: hasFailed ? "failed" : "found",
    ...(isLimited && { limited_to: { targets: ["acme_a.one"] } }),
  });
}

function stackOf(name: string | null, objects: readonly Seen[]) {
  const listed = objects.flatMap(({ cell, isKnown }, index) => {
    const address = OBJECTS[index]!;
    if (cell === "absent") return [];
    if (cell === "ignored") return [object(name, address, "in_sync")];
    return [isKnown && isDrift(cell) ? known(name, address, cell) : object(name, address, cell)];
  });
  const ignored = objects.flatMap(({ cell }, index) =>
    cell === "ignored" ? [{ object: OBJECTS[index]!, reason: "why" }] : [],
  );
  return stack(name, listed, { ignored });
}

const isDrift = (cell: Seen["cell"]): boolean => cell === "vanished" || Array.isArray(cell);

/**
 * Returns the drifts of one object as lines. A simple model computes them from all runs. `attribute` is the drifted
 * attribute; undefined for an object that vanished.
 */
function expectedOf(
  sorted: readonly Run[],
  at: number,
  index: number,
  attribute: string | undefined,
): string[] {
  const name = `${STACKS[at] ?? "-"}/${OBJECTS[index]}${attribute === undefined ? " vanished" : `.${attribute} changed`}`;
  const found: string[] = [];
  let opened: string | undefined;
  let wasChecked = false;
  const end = (how: string, run: Run) => {
    found.push(`${name} ${opened}, ${how} ${run.hours}h`);
    opened = undefined;
  };
  for (const run of sorted) {
    const objects = run.stacks[at];
    if (objects === undefined) continue;
    const { cell, isKnown } = objects[index]!;
    if (cell === "failed") continue;
    const before = sorted.slice(0, sorted.indexOf(run));
    const isWithheld = isKnown && isDrift(cell) && !isDescribed(before, at, index, cell);
    if (cell === "absent") {
      if (opened !== undefined && !run.hasFailed && !run.isLimited) end("undeclared", run);
      continue;
    }
    const isFound =
      !isWithheld &&
      (attribute === undefined ? cell === "vanished" : Array.isArray(cell) && cell.includes(attribute));
    if (isFound) opened ??= `${wasChecked ? "" : "before "}${run.hours}h`;
    else if (opened !== undefined && cell === "ignored") end("ignored", run);
    else if (opened !== undefined && !isWithheld) end(cell === "vanished" ? "vanished" : "repaired", run);
    wasChecked = true;
  }
  return opened === undefined ? found : [...found, `${name} ${opened}, open`];
}

/**
 * Returns whether a report describes this drift completely. If an earlier report described a drift, a later report only
 * counts the drift as known.
 */
const isDescribed = (all: readonly Run[], at: number, index: number, cell: Seen["cell"]): boolean =>
  all.some(({ stacks }) => {
    const one = stacks[at]?.[index];
    return one !== undefined && !one.isKnown && JSON.stringify(one.cell) === JSON.stringify(cell);
  });

const sortedByTime = (all: readonly Run[]): readonly Run[] =>
  [...all].sort((one, other) => one.hours - other.hours);

const keys = STACKS.flatMap((_, at) =>
  OBJECTS.flatMap((_, index) => [...ATTRIBUTES, undefined].map((attribute) => ({ at, index, attribute }))),
);

test("for random runs, history computes the same start and end of each drift as a simpler model", () => {
  fc.assert(
    fc.property(history, (all) => {
      const sorted = sortedByTime(all);
      const expected = keys.flatMap(({ at, index, attribute }) => expectedOf(sorted, at, index, attribute));
      const traced = traceOf(sorted.map(reportOf));
      const lines = traced.drifts.map(lineOf);
      expect([...lines].sort()).toEqual(expected.sort());

      // The durations of all repairs. A line about a repair has two hours, and their difference is the duration.
      const times = expected.flatMap((line) => {
        const [, opened, ended] = / (\d+)h, repaired (\d+)h$/.exec(line) ?? [];
        return opened === undefined ? [] : [at(Number(ended)) - at(Number(opened))];
      });
      const statistics = repairTimes(traced.drifts);
      expect(statistics?.count ?? 0).toBe(times.length);
      if (statistics === undefined) return;
      const below = (limit: number) => times.filter((time) => time < limit).length;
      expect(below(statistics.median)).toBeLessThanOrEqual(times.length / 2);
      expect(times.filter((time) => time > statistics.median).length).toBeLessThanOrEqual(times.length / 2);
      expect(times).toContain(statistics.p90);
      expect(below(statistics.p90)).toBeLessThan(times.length * 0.9);
      expect(times.filter((time) => time > statistics.p90).length).toBeLessThanOrEqual(times.length * 0.1);
    }),
    { numRuns: runs(100, 2000), seed },
  );
});

test("each point of the chart counts the drifts that are open at the time of the point", () => {
  fc.assert(
    fc.property(history, (all) => {
      const { drifts, points } = traceOf(sortedByTime(all).map(reportOf));
      for (const point of points) {
        const open = drifts.filter(
          ({ openedAt, ended }) => openedAt <= point.time && (ended?.at ?? Infinity) > point.time,
        );
        const count = (kind: string) => open.filter(({ difference }) => difference.kind === kind).length;
        expect([point.changed, point.vanished, point.undeclared]).toEqual([
          count("changed"),
          count("vanished"),
          0,
        ]);
      }
    }),
    { numRuns: runs(100, 2000), seed },
  );
});
