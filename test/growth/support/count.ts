// This program runs with `register.js`, which makes the sources count their work. The program counts the work of each
// operation of a scene, at one size and at four times that size. For each scene, its parent process sends a message
// with the name of the scene and the address of the service.
import { SCENES } from "../operations";
import { loadProduct } from "./product";
import type { Counted, Growing, Question } from "./results";
import { runScene } from "./run-scene";
import type { Operation, Scene } from "./scene";
import { sizesOf } from "./sizes";

/** The number of executions of each place in the sources, by `file:line what`. */
type Work = ReadonlyMap<string, number>;
const { takeWork }: { takeWork: () => Work } = require("./instrument");

/**
 * The limit for the growth of a single place, when the input becomes four times as large. The limit is between the
 * growth of a sort and the growth of a nested loop. Sorting 20 elements takes 8 times as many comparisons as sorting 5.
 * A loop over all elements for each element grows 16 times.
 */
const STEEP = 11;
/**
 * The minimum numbers of executions at both sizes. Growth with fewer executions proves nothing: for example, a place
 * may run only from the second page on.
 */
const LEAST = { from: 10, to: 250 };

/**
 * Matches the functions that copy and write a state. The work of these functions is not counted during an apply,
 * because the number of saves depends on time.
 */
const SAVES =
  /^src\/(state\/format|state\/model\/model|state\/model\/state-editor\.ts:\d+ \.\.\.$|files|json\/write-json\.ts:\d+ .*(numberText|[dD]ecimal|Digits))|compareText$/;
const isCounted = (place: string, { applies }: Operation): boolean => applies !== true || !SAVES.test(place);

/**
 * Returns true if a place compares elements for a sort. A place that sorts is not checked, because the number of
 * comparisons depends on the initial order.
 */
const isSorting = (place: string): boolean =>
  / (.* )?(compare|by[A-Z])\w*$|^src\/text\/compare-natural/.test(place);

function growingIn(operation: Operation, smaller: Work, larger: Work): Growing[] {
  const found = new Map<string, Growing>();
  for (const [place, to] of larger) {
    const from = smaller.get(place) ?? 0;
    if (from < LEAST.from || to < LEAST.to || to <= STEEP * from) continue;
    if (isSorting(place) || !isCounted(place, operation)) continue;
    const [, file, line, name] = /^(.*?):(\d+) (.*)$/.exec(place)!;
    const what = `${file} ${name}`;
    if (to > (found.get(what)?.to ?? 0)) found.set(what, { what, line: Number(line), from, to });
  }
  return [...found.values()].sort((one, other) => other.to - one.to);
}

function totalOf(operation: Operation, work: Work): number {
  let total = 0;
  for (const [place, count] of work) if (isCounted(place, operation)) total += count;
  return total;
}

async function countScene(scene: Scene, { place, size }: Question): Promise<Counted[]> {
  const product = loadProduct();
  const measure = async (work: () => Promise<void>): Promise<Work> => {
    takeWork();
    await work();
    return takeWork();
  };
  const [warm, few, many] = sizesOf(scene, size);
  const run = (count: number) => runScene(scene, count, { product, place, measure });
  // The first run is not counted, because it also loads modules and fills caches.
  const [, smaller, larger] = [await run(warm), await run(few), await run(many)];
  return scene.operations.map((operation) => {
    const [before, after] = [smaller, larger].map((all) => all.get(operation.name)!) as [Work, Work];
    return {
      scene: scene.name,
      operation: operation.name,
      from: totalOf(operation, before),
      to: totalOf(operation, after),
      growing: growingIn(operation, before, after),
    };
  });
}

/** Counts the scene that the parent of this process asks for. */
async function main(question: Question): Promise<void> {
  const scene = SCENES.find(({ name }) => name === question.scene)!;
  process.send!(await countScene(scene, question));
}

process.on("message", (question: Question) => {
  main(question).catch((problem: unknown) => {
    process.stderr.write(`${(problem as Error).stack}\n`);
    process.exit(1);
  });
});
