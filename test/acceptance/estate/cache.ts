import { type Service, startService } from "cdktf-provider-steward/testing";
import { KillingProxy } from "../kills/proxy";
import type { Runner } from "./runner";
import { numbers } from "./support";

// These tests check that an engine uses a cached read only in one run, and only for one token.

const MAINTAINER = "token-of-a-maintainer";
const LIST = "/projects/:id/protected_environments";

let service: Service;
let runner: Runner;

const environments = (count: number, level = 40, more: object = {}) =>
  Object.fromEntries(
    numbers(count).map((index) => [
      `e${index}`,
      { project: "1", name: `env-${index}`, deploy_access_levels: [{ access_level: level }], ...more },
    ]),
  );

interface Environment {
  readonly name: string;
  readonly deploy_access_levels: readonly { readonly id: number; readonly access_level: number }[];
}

/** Sends a manual request to the service, without the proxy in front of it. */
async function byHand(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${service.url}/api/v4/projects/1/protected_environments${path}`, {
    method,
    headers: { "private-token": service.adminToken, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return answer.status === 204 ? undefined : answer.json();
}

const live = async () => (await byHand("GET", "")) as readonly Environment[];
const levels = async () =>
  Object.fromEntries(
    (await live()).map(({ name, deploy_access_levels }) => [
      name,
      deploy_access_levels.map(({ access_level }) => access_level),
    ]),
  );

/**
 * Replaces the access record of an environment by a new record with the same level and another id. The running apply
 * removes this level. It must delete the new record, although it has read only the old record.
 */
const replaceRecord = ({ name, deploy_access_levels }: Environment) =>
  byHand("PUT", `/${name}`, {
    deploy_access_levels: [
      { access_level: 40 },
      ...deploy_access_levels.map(({ id }) => ({ id, _destroy: true })),
    ],
  });

/**
 * Returns a data source that the apply reads before all other objects. When the apply later needs the list of environments,
 * it finds the list in the cache.
 */
const readFirst = (input: number) => ({
  data: {
    steward_protected_environments: { before: { project: "1", depends_on: ["terraform_data.changed"] } },
  },
  changed: { terraform_data: { changed: { input } } },
});
const AFTER_IT = { depends_on: ["data.steward_protected_environments.before"] };

/** Declares the tests for one engine. `open` starts the engine against a service. */
export function cacheIsRight(open: (service: Service) => Promise<Runner>): void {
  beforeEach(async () => {
    service = await startService({
      fixture: {
        users: [{ username: "maya", token: MAINTAINER }],
        groups: [{ path: "estate", members: [{ user: "maya", role: "maintainer" }] }],
        projects: [
          { path: "estate/shop", id: 1 },
          ...numbers(150).map((index) => ({ path: `estate/t${index}`, id: index + 2 })),
        ],
      },
      recordRequests: true,
    });
    runner = await open(service);
  });
  afterEach(async () => {
    await runner.close();
    await service.close();
  });

  test("if two provider aliases have different tokens, each alias requests the list of environments separately", async () => {
    const { url: base_url, adminToken } = service;
    const provider = {
      steward: [
        { base_url, token: adminToken },
        { base_url, token: MAINTAINER, alias: "maya" },
      ],
    };
    const ofMaya = Object.entries(environments(10, 40, { provider: "steward.maya" })).slice(5);
    const steward_protected_environment = { ...environments(5), ...Object.fromEntries(ofMaya) };
    runner.declare({ steward_protected_environment }, { provider });
    expect(await runner.apply()).toBe(true);
    service.requests.reset();
    expect(await runner.actions()).toEqual({});
    expect(service.requests.count("GET", LIST)).toBe(2);
  });

  test("a second run in the same process finds a manual change", async () => {
    runner.declare({ steward_protected_environment: environments(5) });
    expect(await runner.apply()).toBe(true);
    service.requests.reset();
    expect(await runner.actions()).toEqual({});
    const asked = service.requests.count();
    expect(service.requests.count("GET", LIST)).toBe(1);
    await byHand("DELETE", "/env-2");
    service.requests.reset();
    expect(await runner.actions()).toEqual({ "steward_protected_environment.e2": "create" });
    expect(service.requests.count("GET", LIST)).toBe(1);
    expect(service.requests.count()).toBeGreaterThanOrEqual(asked);
  });

  test("if an apply changes a list that it read before, a later data source returns the new values", async () => {
    const { data, changed } = readFirst(1);
    runner.declare({ ...changed, steward_protected_environment: environments(5, 40, AFTER_IT) }, { data });
    expect(await runner.apply()).toBe(true);
    const again = readFirst(2);
    const written = {
      ...environments(3, 60, AFTER_IT),
      // The declarations of `env-3` and `env-4` are missing, so the apply deletes these environments. The apply creates
      // `env-5` and `env-6`.
      e5: { ...environments(6, 60, AFTER_IT)["e5"]! },
      e6: { ...environments(7, 60, AFTER_IT)["e6"]! },
    };
    const after = {
      project: "1",
      depends_on: [0, 1, 2, 5, 6].map((index) => `steward_protected_environment.e${index}`),
    };
    runner.declare(
      { ...again.changed, steward_protected_environment: written },
      {
        data: {
          steward_protected_environments: { ...again.data.steward_protected_environments, after },
        },
        output: {
          levels: {
            value:
              "${{ for one in data.steward_protected_environments.after.environments : one.name => one.deploy_access_levels[*].access_level }}",
          },
        },
      },
    );
    expect(await runner.apply()).toBe(true);
    const made = { "env-0": [60], "env-1": [60], "env-2": [60], "env-5": [60], "env-6": [60] };
    expect(await runner.output("levels")).toMatchObject(made);
    expect(await levels()).toEqual(made);
  });

  test.each([
    { fate: "refused", mishap: "403", isDone: false, left: [[40]] },
    { fate: "lost", mishap: "cut after the work", isDone: true, left: [] },
  ] as const)(
    'after a write with the outcome "$fate", later changes of the apply use no data from before the write',
    async ({ mishap, isDone, left }) => {
      const proxy = new KillingProxy(service.url);
      const url = await proxy.start();
      try {
        const first = readFirst(1);
        runner.declare(
          { ...first.changed, steward_protected_environment: environments(4, 40, AFTER_IT) },
          { data: first.data },
          url,
        );
        expect(await runner.apply()).toBe(true);
        const second = readFirst(2);
        runner.declare(
          { ...second.changed, steward_protected_environment: environments(4, 60, AFTER_IT) },
          { data: second.data },
          url,
        );
        let writes = 0;
        proxy.mishap = (isWrite) => {
          return !isWrite || ++writes > 1 ? undefined : mishap;
        };
        // The apply has read the list of environments. While its first write waits, another client replaces the records of
        // all other environments in this list.
        proxy.atFirstWrite = async (path) => {
          for (const one of await live()) if (!path.endsWith(`/${one.name}`)) await replaceRecord(one);
        };
        expect(await runner.apply()).toBe(isDone);
        expect(writes).toBe(4);
        expect(Object.values(await levels()).filter(([level]) => level !== 60)).toEqual(left);
      } finally {
        proxy.close();
      }
    },
  );

  test("if a data source and a resource need the same list, the provider requests each page once", async () => {
    const targets = numbers(150).map((index) => String(index + 2));
    runner.declare(
      { steward_job_token_allowlist: { all: { project: "1", target_projects: targets, target_groups: [] } } },
      {
        data: { steward_job_token_scope: { shop: { project: "estate/shop" } } },
        output: { names: { value: "${data.steward_job_token_scope.shop.projects[*].name}" } },
      },
    );
    expect(await runner.apply()).toBe(true);
    expect(await runner.apply()).toBe(true);
    expect(await runner.output("names")).toHaveLength(150);
    service.requests.reset();
    expect(await runner.actions()).toEqual({});
    expect(service.requests.count("GET", "/projects/:id/job_token_scope/allowlist")).toBe(2);
    expect(service.requests.count("GET", "/projects/:id/job_token_scope/groups_allowlist")).toBe(1);
    expect(service.requests.count()).toBe(5);
  });
}
