// Measures the processor time of each operation at a size and at four times that size: `includes`, copies and packages cost
// time where nothing of ours runs. Another program beside disturbs one measurement and not the next, so that the better of
// three pairs counts.
import { answer } from "./answer";
import { loadProduct } from "./product";
import type { Question, Timed } from "./results";
import { runScene } from "./run-scene";
import type { Scene } from "./scene";
import { sizesOf } from "./sizes";

const PAIRS = 3;
/** With that no further pair is needed. */
const ENOUGH = 4.6;

async function timeScene(scene: Scene, { sources, place, size }: Question): Promise<Timed[]> {
  const product = loadProduct(sources);
  const measure = async (work: () => Promise<void>): Promise<number> => {
    globalThis.gc!();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const run = (count: number) => runScene(scene, count, { product, place, measure });
  // The first time loads modules, and V8 compiles what runs often: at the larger size, so that it does so no more.
  const [, few, many] = sizesOf(scene, size);
  await run(many);
  const best = new Map<string, Timed>();
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [smaller, larger] = [await run(few), await run(many)];
    for (const [operation, to] of larger) {
      const from = smaller.get(operation)!;
      const known = best.get(operation);
      if (known === undefined || to / from < known.to / known.from)
        best.set(operation, { scene: scene.name, operation, from, to });
    }
    if ([...best.values()].every(({ from, to }) => to / from <= ENOUGH)) break;
  }
  return [...best.values()];
}

answer(timeScene);
