import type { ConfiguredProvider, RunOptions } from "../../../src/framework/protocol/protocol";
import { VirtualClock } from "../../api/support/virtual-clock";
import { type Answer, HttpProxy, type Passage } from "../../support/http-proxy";
import { providerConfig, TOKEN, type World } from "./world";

/**
 * Returns the response that the proxy sends. If the function returns undefined, the proxy forwards the request to the
 * service.
 */
type Answering = (passage: Passage) => Answer | undefined | Promise<Answer | undefined>;

interface Options {
  readonly token?: string;
  readonly max_attempts?: number;
}

/** Returns a function that starts runs behind a proxy. When the test ends, its runs and proxies are closed. */
export function useRunsBehind() {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  return async ({ service, provider }: World, answer: Answering, options: Options = {}) => {
    const proxy = new HttpProxy(service.url, async (passage) => {
      passage.answer((await answer(passage)) ?? (await passage.forward()));
    });
    const base_url = await proxy.start();
    open.push(() => proxy.close());
    return (
      token = options.token ?? TOKEN.maintainer,
      host: RunOptions["host"] = "steward",
    ): ConfiguredProvider => {
      const config = providerConfig(provider, { base_url, ...options, token });
      const run = provider.configure(config, { clock: new VirtualClock(), host }).provider!;
      open.push(() => run.close());
      return run;
    };
  };
}

/** Makes a response with a record, in the form of the service's responses. */
export const recordAnswer = (status: number, record: unknown): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(record)),
});

/** Makes a refusal with a message, in the form of the service's responses. */
export const refusal = (status: number, message: unknown): Answer => recordAnswer(status, { message });
