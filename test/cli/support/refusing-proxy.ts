import { HttpProxy } from "../../support/http-proxy";

/** Starts a proxy that refuses the first request with 429. */
export async function refusingProxy(target: string) {
  let hasRefused = false;
  const proxy = new HttpProxy(target, async (passage) => {
    if (hasRefused) return passage.answer(await passage.forward());
    hasRefused = true;
    passage.refuse(429, "429 Too Many Requests", { "retry-after": "2" });
  });
  return { url: await proxy.start(), close: () => proxy.close() };
}
