import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the number of these objects that are still in memory after a garbage collection. */
export async function stillHeld(objects: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  // A weak reference keeps its object alive until the current turn of the event loop ends.
  await new Promise(setImmediate);
  collectGarbage();
  return objects.filter((object) => object.deref() !== undefined).length;
}
