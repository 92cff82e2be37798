import { type Service, startService } from "cdktf-provider-steward/testing";
import type { Provider } from "../../../src/framework/protocol/protocol";
import { serveReattach } from "../../../src/plugin";
import { createProvider } from "../../../src/provider";
import { FIXTURE, TOKEN } from "../../provider/support/world";
import { dynamic, PluginClient } from "./plugin-client";

/** A provider that listens on a socket, and a service with the fixture of the provider's tests. */
export interface Served {
  readonly service: Service;
  /** Returns the socket of a provider; by default, of the provider under test. */
  socket(provider?: Provider): Promise<string>;
  /** Starts a provider. Each call of the returned function opens a new connection. */
  serve(provider?: Provider): Promise<() => PluginClient>;
  /** Returns the provider's configuration, with the maintainer's token. */
  config(given?: Record<string, unknown>): { msgpack: Uint8Array };
  /** Returns a configured client. */
  configured(given?: Record<string, unknown>): Promise<PluginClient>;
}

/** Serves providers to the tests of a file. All servers and clients end with the test. */
export function useServed(
  fixture: NonNullable<Parameters<typeof startService>[0]>["fixture"] = FIXTURE,
): Served {
  let service: Service;
  const endings: (() => unknown)[] = [];
  beforeAll(async () => {
    service = await startService({ fixture, allowFaults: true });
  });
  afterEach(async () => {
    service.faults.clear();
    for (const end of endings.splice(0).reverse()) await end();
  });
  afterAll(() => service.close());
  const served: Served = {
    get service() {
      return service;
    },
    async socket(provider = createProvider()) {
      const { env, close } = await serveReattach(provider);
      endings.push(close);
      const [reattach] = Object.values(
        JSON.parse(env.TF_REATTACH_PROVIDERS) as Record<string, { Addr: { String: string } }>,
      );
      return reattach!.Addr.String;
    },
    async serve(provider) {
      const socket = await served.socket(provider);
      return () => {
        const client = new PluginClient(socket);
        endings.push(() => client.close());
        return client;
      };
    },
    config: (given = {}) => dynamic({ base_url: service.url, token: TOKEN.maintainer, ...given }),
    async configured(given) {
      const client = (await served.serve())();
      const { diagnostics } = await client.call("ConfigureProvider", { config: served.config(given) });
      expect(diagnostics).toEqual([]);
      return client;
    },
  };
  return served;
}
