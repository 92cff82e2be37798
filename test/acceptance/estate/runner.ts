import type { Service } from "cdktf-provider-steward/testing";
import { hasErrors } from "../../../src/diagnostics";
import { ReattachedWorkspace } from "../../plugin/support/reattached-workspace";
import { EstateStack, type Resources } from "./support";

type At = Pick<Service, "url" | "adminToken" | "requests">;

/** An engine that runs the shared tests. The engine sends its changes one after the other. */
export interface Runner {
  /** Replaces the declarations. By default, the provider uses the administrator's token and the service's address. */
  declare(resource: Resources, more?: object, url?: string): void;
  /** Returns whether the apply succeeded. */
  apply(): Promise<boolean>;
  /** Returns the planned actions, except no-ops, by address. */
  actions(): Promise<Readonly<Record<string, string>>>;
  output(name: string): Promise<unknown>;
  close(): Promise<void>;
}

const providerAt = ({ adminToken: token }: At, base_url: string) => ({ steward: [{ base_url, token }] });

export function embedded(service: At): Runner {
  const stack = new EstateStack(service);
  let outputs: Readonly<Record<string, { readonly value: unknown }>> | undefined;
  return {
    declare(resource, more = {}, url = service.url) {
      stack.declare(resource, { provider: providerAt(service, url), ...more });
    },
    async apply() {
      const { state, diagnostics } = await stack.tryToApply({ parallelism: 1 });
      outputs = state.outputs;
      return !hasErrors(diagnostics);
    },
    async actions() {
      const { changes } = await stack.plan();
      const others = changes.filter(({ action }) => action !== "no-op");
      return Object.fromEntries(others.map(({ address, action }) => [address, action]));
    },
    output: async (name) => outputs?.[name]?.value,
    close: async () => stack.remove(),
  };
}

/** Starts Terraform with the provider in this process. The provider keeps its memory from one command to the next. */
export async function terraform(service: At, engine: string): Promise<Runner> {
  const workspace = await ReattachedWorkspace.open(engine);
  return {
    declare(resource, more = {}, url = service.url) {
      const declared = { provider: providerAt(service, url), resource, ...more };
      workspace.write("main.tf.json", JSON.stringify(declared));
    },
    apply: async () => (await workspace.run(["apply", "-auto-approve", "-parallelism=1"])).code === 0,
    async actions() {
      const actions = Object.entries(await workspace.actions());
      return Object.fromEntries(actions.map(([address, [action]]) => [address, action!]));
    },
    output: async (name) => JSON.parse((await workspace.succeed("output", "-json", name)).stdout) as unknown,
    close: () => workspace.close(),
  };
}
