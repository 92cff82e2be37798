import { type Service, startService } from "cdktf-provider-steward/testing";
import { EstateStack, numbers } from "./support";

// What was read once in a run is right: for its whole run, for its own token, and for no other run.

const MAINTAINER = "token-of-a-maintainer";
const LIST = "/projects/:id/protected_environments";
const SINGLE = "/projects/:id/protected_environments/:name";

let service: Service;
let stack: EstateStack;
beforeEach(async () => {
  service = await startService({
    fixture: {
      users: [{ username: "maya", token: MAINTAINER }],
      groups: [{ path: "estate", members: [{ user: "maya", role: "maintainer" }] }],
      projects: [{ path: "estate/shop", id: 1 }],
    },
    recordRequests: true,
  });
  stack = new EstateStack(service);
});
afterEach(async () => {
  stack.remove();
  await service.close();
});

const environments = (count: number, level = 40, more: object = {}) =>
  Object.fromEntries(
    numbers(count).map((index) => [
      `e${index}`,
      { project: "1", name: `env-${index}`, deploy_access_levels: [{ access_level: level }], ...more },
    ]),
  );

test("two aliases with different tokens share nothing: each reads the collection for itself", async () => {
  const { url: base_url, adminToken } = service;
  const provider = {
    steward: [
      { base_url, token: adminToken },
      { base_url, token: MAINTAINER, alias: "maya" },
    ],
  };
  const both = {
    ...environments(10),
    ...Object.fromEntries(Object.entries(environments(20, 40, { provider: "steward.maya" })).slice(10)),
  };
  stack.declare({ steward_protected_environment: both }, { provider });
  await stack.apply();
  expect(await stack.requestsOfEmptyPlan()).toBe(2);
  expect(service.requests.count("GET", LIST)).toBe(2);
});

test("an apply sees what it wrote itself: a data source that waits for the writes reads none of what was read before", async () => {
  stack.declare({ steward_protected_environment: environments(4) });
  await stack.apply();
  stack.declare(
    { steward_protected_environment: environments(6, 60) },
    {
      data: {
        steward_protected_environments: {
          all: {
            project: "1",
            depends_on: ["steward_protected_environment.e0", "steward_protected_environment.e5"],
          },
        },
      },
      output: {
        levels: {
          value:
            '${{ for one in data.steward_protected_environments.all.environments : one.name => one.deploy_access_levels[0].access_level if contains(["env-0", "env-5"], one.name) }}',
        },
      },
    },
  );
  const { state } = await stack.apply();
  expect(state.outputs?.["levels"]?.value).toEqual({ "env-0": 60, "env-5": 60 });
});

test("an apply never decides on what it read before another write to the same collection", async () => {
  stack.declare({ steward_protected_environment: environments(4) });
  await stack.apply();
  // Each update looks at the environment that it changes; the fourth one after three others were written.
  stack.declare({ steward_protected_environment: environments(4, 60) });
  await stack.apply({ parallelism: 1 });
  const answered = service.requests.all.filter(({ status }) => status !== 200 && status !== 201);
  expect(answered).toEqual([]);
  expect(await stack.requestsOfEmptyPlan()).toBe(1);
  const live = await fetch(`${service.url}/api/v4/projects/1/protected_environments`, {
    headers: { "private-token": service.adminToken },
  });
  const levels = ((await live.json()) as { deploy_access_levels: { access_level: number }[] }[]).map(
    ({ deploy_access_levels }) => deploy_access_levels.map(({ access_level }) => access_level),
  );
  expect(levels).toEqual([[60], [60], [60], [60]]);
});

test("what one run read is not there in the next one of the same process", async () => {
  stack.declare({ steward_protected_environment: environments(4) });
  await stack.apply();
  expect(await stack.requestsOfEmptyPlan()).toBe(1);
  const response = await fetch(`${service.url}/api/v4/projects/1/protected_environments/env-2`, {
    method: "DELETE",
    headers: { "private-token": service.adminToken },
  });
  expect(response.status).toBe(204);
  const { changes } = await stack.plan();
  const actions = changes.filter(({ action }) => action !== "no-op");
  expect(actions.map(({ address, action }) => [address, action])).toEqual([
    ["steward_protected_environment.e2", "create"],
  ]);
  expect(service.requests.count("GET", SINGLE)).toBe(0);
});
