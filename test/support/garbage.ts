import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The number of these objects in memory after a garbage collection. */
export async function stillHeld(objects: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  // A weak reference holds its object until the turn ends.
  await new Promise(setImmediate);
  collectGarbage();
  return objects.filter((object) => object.deref() !== undefined).length;
}
