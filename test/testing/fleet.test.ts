import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { TerraformStack, Testing } from "cdktf";
import {
  AccessLevel,
  Fleet,
  type FleetConfig,
  ProjectSettings,
  StewardProvider,
} from "cdktf-provider-steward";
import { type FixtureInput, type Service, startService, testStack } from "cdktf-provider-steward/testing";

const TOKEN = "token-of-maya";
const PROJECTS = ["acme/web/shop", "acme/web/legacy", "acme/payments/api", "acme/sandbox/toy", "acme/tools"];
const FIXTURE: FixtureInput = {
  users: [{ username: "maya", token: TOKEN }, { username: "devon" }],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
      ],
    },
    ...["acme/web", "acme/payments", "acme/sandbox", "acme/payments/ops"].map((path) => ({ path })),
  ],
  projects: PROJECTS.map((path) => ({
    path,
    topics: path === "acme/tools" ? [] : ["service"],
    job_token_scope: { inbound_enabled: false },
  })),
};

const CONFIG: FleetConfig = {
  projects: { group: "acme", includeSubgroups: true, topics: ["service"], except: ["acme/sandbox/*"] },
  baseline: {
    inboundEnabled: true,
    protectedEnvironments: {
      production: {
        deployAccessLevels: [{ accessLevel: AccessLevel.MAINTAINER }],
        approvalRules: [{ accessLevel: AccessLevel.MAINTAINER, requiredApprovals: 1 }],
      },
    },
    containerProtectionRules: { "{project}/release*": { minimumAccessLevelForPush: "owner" } },
  },
  layers: [
    {
      where: "acme/payments",
      settings: { protectedEnvironments: { production: { deployAccessLevels: [{ user: "devon" }] } } },
    },
    {
      where: "acme/web/legacy",
      settings: { protectedEnvironments: { production: Fleet.unmanaged } },
      ...{ reason: "no deployments", owner: "web-team", until: "2999-01-01" },
    },
  ],
  floor: { inboundEnabled: true },
};

const app = (config: Partial<FleetConfig> = {}) => {
  const stack = new TerraformStack(Testing.app(), "estate");
  new StewardProvider(stack, "steward");
  new Fleet(stack, "acme", { ...CONFIG, ...config });
  return stack;
};

let service: Service;
beforeEach(async () => {
  service = await startService({ fixture: FIXTURE });
});
const closing: (() => void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await service.close();
});

const of = (config?: Partial<FleetConfig>) => testStack(app(config), { service, token: TOKEN });

const send = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(`${service.url}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": service.adminToken, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? undefined : answer.json();
};

const planned = async (stack: ReturnType<typeof of>, options: object = {}) =>
  (await stack.plan(options)).stacks
    .flatMap(({ plan }) => plan!.changes)
    .filter(({ mode, action }) => mode === "managed" && action !== "no-op")
    .map(({ type, indexKey, action }) => `${action} ${type.replace("steward_", "")} ${indexKey}`)
    .sort();

/**
 * Starts a proxy in front of the service. While `lacks` is true, the proxy removes one project from all lists of
 * projects.
 */
async function withoutProject({ url, adminToken }: Service, id: number) {
  const state = { url: "", adminToken, lacks: true };
  const proxy = createServer(async (request, response) => {
    const {
      authorization: _,
      host: __,
      connection: ___,
      "content-length": ____,
      ...headers
    } = request.headers;
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(request.method !== "GET" && { body: await text(request) }),
    });
    const whole = await answer.text();
    const isList = state.lacks && /groups\/[^/]+\/projects/.test(request.url!);
    const body = isList
      ? JSON.stringify(JSON.parse(whole).filter((one: { id: number }) => one.id !== id))
      : whole;
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(body);
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  closing.push(() => proxy.close());
  state.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return state;
}

describe("a fleet", () => {
  it("after a project joins the list of a fleet, the next plan creates the settings of this project", async () => {
    const stack = of();
    expect(await planned(stack)).toEqual([
      ...["1", "2", "3"].map((id) => `create container_protection_rule ${id}:{project}/release*`),
      ...["1", "2", "3"].map((id) => `create job_token_scope ${id}`),
      ...["1", "3"].map((id) => `create protected_environment ${id}:production`),
    ]);
    await stack.apply();
    expect((await stack.plan()).hasChanges).toBe(false);
    expect(await send("GET", "/projects/3/protected_environments/production")).toMatchObject({
      deploy_access_levels: [{ user_id: 2 }],
      approval_rules: [{ access_level: 40 }],
    });
    expect(await send("GET", "/projects/1/registry/protection/repository/rules")).toMatchObject([
      { repository_path_pattern: "acme/web/shop/release*" },
    ]);
    await send("POST", "/projects", { name: "new", path: "new", namespace_id: 1, topics: ["service"] });
    expect(await planned(stack)).toContain("create job_token_scope 6");
  });

  it("if the code lists the projects of a fleet by path, the plan sends no requests about groups", async () => {
    const layers = CONFIG.layers!.filter(({ where }) => where === "acme/payments");
    const stack = of({ layers, projects: { shop: "acme/web/shop", api: "acme/payments/api" } });
    expect(await planned(stack)).toContain("create protected_environment api:production");
    expect(service.requests.all.filter(({ url }) => url.includes("/groups/"))).toEqual([]);
    await stack.apply();
    const shrunk = stack.changedTo(app({ layers, projects: { shop: "acme/web/shop" } }));
    expect(await planned(shrunk, { allowLeaving: 1 })).toEqual([
      "forget container_protection_rule api:{project}/release*",
      "forget job_token_scope api",
      "forget protected_environment api:production",
    ]);
  });

  it("if a fleet replaces separate declarations of projects, the plan moves the objects of the declarations", async () => {
    const single = new TerraformStack(Testing.app(), "estate");
    new StewardProvider(single, "steward");
    const { inboundEnabled, protectedEnvironments } = CONFIG.baseline;
    for (const project of PROJECTS.slice(0, 3))
      new ProjectSettings(single, project.replaceAll("/", "-"), {
        project,
        inboundEnabled: inboundEnabled!,
        protectedEnvironments: {
          production: {
            ...protectedEnvironments!.production!,
            ...(project === "acme/payments/api" && { deployAccessLevels: [{ user: "devon" }] }),
          },
        },
        containerProtectionRules: { [`${project}/release*`]: { minimumAccessLevelForPush: "owner" } },
      });
    const declared = testStack(single, { service, token: TOKEN });
    await declared.apply();
    const fleet = declared.changedTo(app());
    const changes = (await fleet.plan()).stacks[0]!.plan!.changes.filter(({ mode }) => mode === "managed");
    expect(
      changes.map(({ action, previousAddress }) => [action, previousAddress !== undefined]).sort(),
    ).toEqual([
      // A layer excludes this setting. The object of the setting came from a separate declaration and never belonged to
      // a fleet, so it is deleted.
      ["delete", false],
      ...changes.slice(1).map(() => ["no-op", true]),
    ]);
    expect(changes).toHaveLength(9);
    await fleet.apply();
    expect((await fleet.plan()).hasChanges).toBe(false);
  });

  it("if a layer sets production to Fleet.unmanaged, apply does not delete the live protection of production", async () => {
    const stack = of();
    await stack.apply();
    const dropped = stack.changedTo(
      app({
        layers: [{ where: "acme", settings: { protectedEnvironments: { production: Fleet.unmanaged } } }],
      }),
    );
    expect(await planned(dropped)).toEqual([
      "forget protected_environment 1:production",
      "forget protected_environment 3:production",
    ]);
    await dropped.apply();
    expect(await send("GET", "/projects/1/protected_environments")).toHaveLength(1);
    expect((await dropped.plan()).hasChanges).toBe(false);
  });
});

describe("a project that leaves the list of a fleet", () => {
  const single: Partial<FleetConfig> = { baseline: { inboundEnabled: true }, layers: [] };
  const leave = (id: number) => send("PUT", `/projects/${id}`, { topics: [] });

  it("after a project left the fleet, plan without allowLeaving fails", async () => {
    const stack = of(single);
    await stack.apply();
    await leave(1);
    await expect(stack.plan()).rejects.toThrow(
      /lists 2 projects\. 1 of the 3 .* is missing.*--allow-leaving 1/s,
    );
    expect(await planned(stack, { allowLeaving: 1 })).toEqual(["forget job_token_scope 1"]);
    await stack.apply({ allowLeaving: 1 });
    expect(await send("GET", "/projects/1/job_token_scope")).toMatchObject({ inbound_enabled: true });
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  it("if a project left the fleet, plan fails, even if the fleet drops a setting at the same time", async () => {
    const settingsOf = (...environments: string[]): Partial<FleetConfig> => ({
      baseline: {
        protectedEnvironments: Object.fromEntries(
          environments.map((name) => [name, { deployAccessLevels: [{ accessLevel: 40 }] }]),
        ),
      },
      layers: [],
      floor: {},
    });
    const stack = of(settingsOf("production", "staging"));
    await stack.apply();
    await leave(3);
    const dropped = stack.changedTo(app(settingsOf("staging")));
    await expect(dropped.plan()).rejects.toThrow(/lists 2 projects\. 1 of the 3 .* is missing/s);
  });

  it("with onLeave reset, apply deletes the protected environment of a project that left the fleet", async () => {
    const config: Partial<FleetConfig> = { ...single, onLeave: "reset", baseline: CONFIG.baseline };
    const stack = of(config);
    await stack.apply();
    await leave(1);
    expect(await planned(stack, { allowLeaving: 1 })).toContain("delete protected_environment 1:production");
    await stack.apply({ allowLeaving: 1 });
    expect(await send("GET", "/projects/1/protected_environments")).toEqual([]);
  });

  it("if all three projects leave a fleet, plan with allowLeaving 2 fails", async () => {
    const stack = of(single);
    await stack.apply();
    for (const id of [1, 2, 3]) await leave(id);
    await expect(stack.plan({ allowLeaving: 2 })).rejects.toThrow(/Fleet lists no projects/);
    expect(await planned(stack, { allowLeaving: 3 })).toHaveLength(3);
  });

  it("if the list of projects lacks a project that the service returns by id, plan fails", async () => {
    const gaps = await withoutProject(service, 1);
    const stack = testStack(app(single), { service: gaps, token: TOKEN });
    gaps.lacks = false;
    await stack.apply();
    gaps.lacks = true;
    const kept = stack.plan({ allowLeaving: 3 });
    await expect(kept).rejects.toThrow(
      /lacks acme\/web\/shop, but the service still returns this project by its ID/,
    );
  });
});
