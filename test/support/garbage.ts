import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How many of these objects are still in memory, once whatever nobody holds is gone. */
export async function stillHeld(objects: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  // What was reached through a weak reference is held until the turn ends.
  await new Promise(setImmediate);
  collectGarbage();
  return objects.filter((object) => object.deref() !== undefined).length;
}
