import type { Product } from "./product";
import type { Scene } from "./scene";
import { type Place, World } from "./world";

/** Runs `work`, and returns a measurement of it. */
export type Measure<Measured> = (work: () => Promise<void>) => Promise<Measured>;

/** Returns the path of the group on the service that belongs only to this scene and size. */
export const groupOf = (scene: Scene, size: number): string =>
  `${scene.name.replace(/[^a-z]/g, "-")}-${size}`;

/**
 * Runs the operations of a scene one after the other. Returns the measurements of the operations, by the names of the
 * operations.
 */
export async function runScene<Measured>(
  scene: Scene,
  size: number,
  { product, place, measure }: { product: Product; place: Place; measure: Measure<Measured> },
): Promise<ReadonlyMap<string, Measured>> {
  const world = new World(product, place, { size, group: groupOf(scene, size) });
  const measured = new Map<string, Measured>();
  try {
    for (const { name, before, run } of scene.operations) {
      await before?.(world);
      measured.set(
        name,
        await measure(async () => {
          await run(world);
        }),
      );
    }
  } finally {
    world.remove();
  }
  return measured;
}
