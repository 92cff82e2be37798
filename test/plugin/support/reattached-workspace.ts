import type { Provider } from "../../../src/framework/protocol/protocol";
import { type ReattachServer, serveReattach } from "../../../src/plugin";
import { createProvider } from "../../../src/provider";
import { Workspace } from "./workspace";

/** A workspace whose commands use providers of this process. No provider is installed or started. */
export class ReattachedWorkspace extends Workspace {
  readonly #served: readonly ReattachServer[];

  private constructor(engine: string, served: readonly ReattachServer[]) {
    const addresses = served.map(({ env }) => JSON.parse(env.TF_REATTACH_PROVIDERS) as object);
    super(engine, { TF_REATTACH_PROVIDERS: JSON.stringify(Object.assign({}, ...addresses)) });
    this.#served = served;
  }

  static async open(
    engine: string,
    providers: readonly Provider[] = [createProvider()],
  ): Promise<ReattachedWorkspace> {
    return new ReattachedWorkspace(
      engine,
      await Promise.all(providers.map((provider) => serveReattach(provider))),
    );
  }

  async close(): Promise<void> {
    this.remove();
    await Promise.all(this.#served.map((each) => each.close()));
  }
}
