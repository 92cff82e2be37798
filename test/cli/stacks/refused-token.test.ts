import { ownProvider } from "../../../src/cli/stacks/providers";
import type { ConfiguredProvider } from "../../../src/framework";
import { type FaultServer, json, startFaultServer } from "../../api/support/fault-server";
import { providerConfig } from "../../provider/support/world";

// Each stack of an app configures the provider. A token that the service refuses everywhere is found out once per command.

const STACKS = 40;

let server: FaultServer;
afterEach(() => server.close());

test("a wrong token of forty stacks takes two requests, and each object has the error", async () => {
  server = await startFaultServer(json(401, { message: "401 Unauthorized" }));
  const provider = ownProvider({ env: { STEWARD_TOKEN: "wrong" } });
  const config = providerConfig(provider, { base_url: server.baseUrl });
  const clients: ConfiguredProvider[] = [];
  for (let stack = 1; stack <= STACKS; stack += 1) {
    const client = provider.configure(config, {}).provider!;
    clients.push(client);
    const attributes = {
      id: String(stack),
      project: String(stack),
      inbound_enabled: true,
      outbound_enabled: null,
    };
    const { state, diagnostics } = await client.readResource({
      type: "steward_job_token_scope",
      state: { attributes },
    });
    expect(state?.attributes).toEqual(attributes);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "unauthorized" }]);
  }
  expect(server.seen.map(({ target }) => target)).toEqual(["/projects/1/job_token_scope", "/user"]);
  await Promise.all(clients.map((client) => client.close()));
});
