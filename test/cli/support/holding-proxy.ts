import { HttpProxy } from "../../support/http-proxy";

/** Starts a proxy that withholds the response to the first write until the test releases it. */
export async function holdingProxy(target: string) {
  let held: { release: () => void } | undefined;
  let isHeld: () => void = () => {};
  const holds = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const proxy = new HttpProxy(target, async (passage) => {
    const answer = await passage.forward();
    if (!passage.isWrite || held !== undefined) return passage.answer(answer);
    held = { release: () => passage.answer(answer) };
    isHeld();
  });
  return { url: await proxy.start(), holds, release: () => held?.release(), close: () => proxy.close() };
}
