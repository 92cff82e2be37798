import { type Service, startService } from "cdktf-provider-steward/testing";
import { EstateStack, mostAtOnce, numbers } from "./support";

// How many requests the service has before it at once. Each waits there, so that those meet that can.

const ENTRIES = 1000;
const DELAY_MS = 50;
const FIRST_WIDTH = 10;
const project = "estate/shop";

let service: Service;
let stack: EstateStack;
beforeAll(async () => {
  const targets = numbers(ENTRIES).map((index) => `estate/target-${index}`);
  service = await startService({
    fixture: {
      groups: [{ path: "estate" }],
      projects: [
        { path: project, id: 1, job_token_scope: { projects: targets } },
        { path: "estate/empty", id: 2 },
        ...targets.map((path, index) => ({ path, id: index + 3 })),
      ],
    },
    recordRequests: true,
  });
});
beforeEach(() => {
  stack = new EstateStack(service);
  service.faults.add({ always: true, delay: DELAY_MS });
});
afterEach(() => {
  stack.remove();
  service.faults.clear();
});
afterAll(() => service.close());

const entries = numbers(20).map((index) => String(index + 3));

test("the pages of a list are asked for together, once the first one tells how many there are", async () => {
  stack.declare(
    { steward_job_token_allowlist_project: { one: { project: "1", target_project: entries[0] } } },
    { import: [{ to: "steward_job_token_allowlist_project.one", id: `1:${entries[0]}` }] },
  );
  service.requests.reset();
  const most = await mostAtOnce(() => stack.plan(), "GET");
  const pages = service.requests.count("GET", "/projects/:id/job_token_scope/allowlist");
  expect(pages).toBe(ENTRIES / 100 + 1);
  expect(most).toBe(pages - 1);
});

test("two collections are asked for together, from the start of the refresh", async () => {
  const resource = {
    steward_job_token_allowlist_project: { one: { project: "2", target_project: entries[0] } },
    steward_container_protection_rule: {
      one: {
        project: "2",
        repository_path_pattern: "estate/empty/*",
        minimum_access_level_for_push: "owner",
        // It is planned after the other, and looked at with it.
        depends_on: ["steward_job_token_allowlist_project.one"],
      },
    },
  };
  stack.declare(resource);
  await stack.apply();
  expect(await mostAtOnce(() => stack.plan(), "GET")).toBe(2);
  stack.declare({});
  await stack.apply();
});

test.each([1, 4])("at --parallelism %d never more than that", async (parallelism) => {
  const resource = Object.fromEntries(
    entries.map((target) => [`e${target}`, { project: "2", target_project: target }]),
  );
  stack.declare({ steward_job_token_allowlist_project: resource });
  expect(await mostAtOnce(() => stack.apply({ parallelism }), "POST")).toBe(parallelism);
  stack.declare({});
  expect(await mostAtOnce(() => stack.apply({ parallelism }), "DELETE")).toBe(parallelism);
});

test("writes to one authoritative collection go out together, in bounded width", async () => {
  const declare = (target_projects: readonly string[]) =>
    stack.declare({
      steward_job_token_allowlist: { this: { project: "2", target_projects, target_groups: [] } },
    });
  declare(entries);
  expect(await mostAtOnce(() => stack.apply({ parallelism: 4 }), "POST")).toBe(4);
  declare([]);
  const most = await mostAtOnce(() => stack.apply(), "DELETE");
  expect(most).toBeGreaterThanOrEqual(FIRST_WIDTH);
  expect(most).toBeLessThanOrEqual(50);
});
