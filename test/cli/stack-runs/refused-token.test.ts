import { ownProvider } from "../../../src/cli/stack-runs/providers";
import type { ConfiguredProvider } from "../../../src/framework";
import { type FaultServer, json, startFaultServer } from "../../api/support/fault-server";
import { providerConfig } from "../../provider/support/world";
import { synthesizeOnce } from "../support/app";
import { openPlace } from "../support/place";

// Each stack of an app configures the provider. If the service refuses the token everywhere, the command must stop after
// the requests of one stack.

const STACKS = 40;
const projects = Array.from({ length: STACKS }, (_, index) => `service-${index}`);
const APP = `
  const { App, TerraformStack } = require("cdktf");
  const app = new App();
  for (const name of ${JSON.stringify(projects)}) {
    const stack = new TerraformStack(app, name);
    stack.addOverride("terraform.required_providers.steward.source", "registry.steward.example/steward/steward");
    stack.addOverride("provider.steward", [{}]);
    stack.addOverride("resource.steward_job_token_scope.it", { project: "acme/" + name, inbound_enabled: true });
    stack.addOverride("resource.steward_pages_settings.it", { project: "acme/" + name, force_https: true });
  }
  app.synth();
`;

let server: FaultServer | undefined;
afterEach(() => server?.close());

test("with a wrong token, reads for forty stacks send two requests in total", async () => {
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

/** The maximum number of requests of a command with a wrong token. */
const HANDFUL = 6;

test.each(["plan --config one", "drift --config one --coverage"])(
  "with a wrong token and one stack of forty projects, %s sends at most six requests",
  async (command) => {
    const place = await openPlace({
      projects: projects.map((name) => ({ path: `acme/${name}` })),
      groups: [{ path: "acme" }],
    });
    try {
      const steward_job_token_scope = Object.fromEntries(
        projects.map((name) => [name, { project: `acme/${name}`, inbound_enabled: true }]),
      );
      place.write("one/main.tf.json", {
        terraform: {
          required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
        },
        resource: { steward_job_token_scope },
      });
      // The state contains objects of all projects, because a run without a state would first list a group.
      const admin = { STEWARD_TOKEN: place.service.adminToken };
      expect((await place.run(["apply", "--config", "one", "--auto-approve"], admin)).code).toBe(0);
      place.service.requests.reset();
      const { code, err } = await place.run(command.split(" "), { STEWARD_TOKEN: "wrong" });
      expect(code).toBe(1);
      expect(err.match(/has not expired, and was not revoked/g)).toHaveLength(1);
      expect(place.service.requests.all.length).toBeLessThanOrEqual(HANDFUL);
    } finally {
      await place.close();
    }
  },
);

test.each(["plan", "drift --coverage"])(
  "with a wrong token and forty stacks, %s sends at most six requests",
  async (command) => {
    const place = await openPlace({
      projects: projects.map((name) => ({ path: `acme/${name}` })),
      groups: [{ path: "acme" }],
    });
    try {
      synthesizeOnce(place, APP);
      const { code, err } = await place.run(command.split(" "), { STEWARD_TOKEN: "wrong" });
      expect(code).toBe(1);
      expect(err.match(/has not expired, and was not revoked/g)).toHaveLength(1);
      expect(place.service.requests.all.length).toBeLessThanOrEqual(HANDFUL);
    } finally {
      await place.close();
    }
  },
);
