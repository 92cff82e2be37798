import { createProvider } from "../../src/provider";
import { UNKNOWN, type Value } from "../../src/schema";
import { Host } from "./support/host";
import { actions, Stack } from "./support/stack";
import { PROJECT, providerConfig, TOKEN, useWorld } from "./support/world";

// The settings of the provider can depend on objects that the apply creates first. Until these settings are known, the
// provider starts without a connection. Without a connection, the provider refuses each operation that needs a request,
// and names the unknown settings.

const provider = createProvider();
const world = useWorld();
const config = (given: Record<string, Value>) => ({ ...providerConfig(provider, {}), ...given });
const connect = (given: Record<string, Value>) =>
  provider.configure(config({ base_url: world().service.url, ...given }), {});
const TYPE = "steward_protected_environment";
const environment = {
  project: "acme/web",
  name: "production",
  deploy_access_levels: [{ access_level: 40 }],
  approval_rules: [],
};

describe("a provider configuration with unknown values", () => {
  test("a provider configuration with unknown values causes no diagnostic", async () => {
    const answer = connect({ token: UNKNOWN });
    expect(answer.diagnostics).toEqual([]);
    await answer.provider!.close();
  });

  test("with unknown provider settings, a new object is planned without a request", async () => {
    const host = new Host(world(), TYPE);
    const plan = await host.plan(undefined, environment, connect({ token: UNKNOWN }).provider!);
    expect(plan).toMatchObject({ action: "create", diagnostics: [] });
    expect(world().service.requests.count()).toBe(0);
  });

  test("with unknown provider settings, the plan of a changed object fails", async () => {
    const host = new Host(world(), TYPE);
    const state = await host.bring(undefined, environment);
    world().service.requests.reset();
    const run = () => connect({ token: UNKNOWN }).provider!;
    expect(await host.plan(state, environment, run())).toMatchObject({ action: "none", diagnostics: [] });
    const changed = { ...environment, deploy_access_levels: [{ access_level: 60 }] };
    expect((await host.plan(state, changed, run())).diagnostics).toMatchObject([
      { code: "provider_not_configured" },
    ]);
    expect(world().service.requests.count()).toBe(0);
  });

  test("each operation that needs a request keeps the state, and reports the unknown provider settings", async () => {
    const host = new Host(world(), TYPE);
    const state = await host.bring(undefined, environment);
    const run = connect({ base_url: UNKNOWN, token: UNKNOWN }).provider!;
    const within = String(PROJECT.web);
    const planned = (await host.plan(undefined, environment, run)).planned!;
    const answers = [
      await run.readResource({ type: TYPE, state }),
      await run.applyResource({ type: TYPE, prior: undefined, planned, config: host.config(environment) }),
      await run.applyResource({ type: TYPE, prior: state, planned: undefined, config: undefined }),
      await run.importResource({ type: TYPE, id: "1:production" }),
      await run.listResource({ type: TYPE, within }),
      await run.readDataSource({ type: "steward_current_user", config: {} }),
    ];
    for (const { diagnostics } of answers) {
      expect(diagnostics).toMatchObject([{ severity: "error", code: "provider_not_configured" }]);
      expect(diagnostics[0]!.detail).toContain(
        "`base_url`, `token` of the provider configuration are known only after apply",
      );
    }
    expect(answers[0]).toMatchObject({ state });
    expect(answers[2]).toMatchObject({ state });
  });
});

test("for a provider configuration with unknown values, the engine plans new objects, but refuses a data source", async () => {
  const scope = (project: string, alias?: string) => ({
    project,
    inbound_enabled: true,
    ...(alias && { provider: `steward.${alias}` }),
  });
  const { url: base_url } = world().service;
  const declared = {
    provider: {
      steward: [
        { base_url, token: TOKEN.maintainer },
        // The unknown id of a planned environment is used instead of a token that another resource would create.
        { alias: "later", base_url, token: `\${${TYPE}.first.id}` },
      ],
    },
    resource: {
      [TYPE]: { first: environment },
      steward_job_token_scope: { sure: scope("acme/web"), open: scope("acme/tools", "later") },
    },
  };
  const stack = new Stack(world(), declared);
  try {
    const plan = await stack.plan();
    expect(plan.diagnostics).toEqual([]);
    expect(actions(plan)).toEqual({
      [`${TYPE}.first`]: "create",
      "steward_job_token_scope.sure": "create",
      "steward_job_token_scope.open": "create",
    });
    stack.declare({ ...declared, data: { steward_current_user: { open: { provider: "steward.later" } } } });
    expect((await stack.plan()).diagnostics).toMatchObject([
      { code: "provider_not_configured", address: "data.steward_current_user.open" },
    ]);
  } finally {
    stack.remove();
  }
});

test("if two provider configurations plan the same object, Steward does not report two declarations of the object", async () => {
  const host = new Host(world(), TYPE);
  const state = await host.bring(undefined, environment);
  world().service.requests.reset();
  const [one, other] = [world().connect(), world().connect(TOKEN.owner)];
  for (const run of [one, other]) {
    expect(await host.plan(await host.refresh(state, run), environment, run)).toMatchObject({
      action: "none",
      diagnostics: [],
    });
  }
  // Each of the two provider configurations reads the object, and looks up its project's path again.
  expect(world().service.requests.count()).toBe(2 + 2);
});
