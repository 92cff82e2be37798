import { type Service, startService } from "cdktf-provider-steward/testing";
import { EstateStack, numbers } from "./support";

// An apply reads a list of several pages while it adds to it and takes from it: more objects are updated than are asked
// for one by one, and what is on a later page must be found there.

const COUNT = 150;
const LIST = "/projects/:id/protected_environments";

const environment = (name: string, access_level = 40) => ({
  project: "estate/shop",
  name,
  deploy_access_levels: [{ access_level }],
});

const nameOf = (index: number) => `e${String(index).padStart(3, "0")}`;
const named = (names: readonly string[], access_level?: number) =>
  Object.fromEntries(names.map((name) => [name, environment(name, access_level)]));

/** The first one of the second page, and those after it. */
const CHANGED = numbers(6).map((index) => nameOf(index + 100));

let service: Service;
let stack: EstateStack;
beforeEach(async () => {
  service = await startService({
    fixture: {
      groups: [{ path: "estate" }],
      projects: [
        {
          path: "estate/shop",
          protected_environments: numbers(COUNT).map((index) => ({
            name: nameOf(index),
            deploy_access_levels: [{ access_level: 40 }],
          })),
        },
      ],
    },
  });
  stack = new EstateStack(service);
  const names = numbers(COUNT).map(nameOf);
  stack.declare(
    { steward_protected_environment: named(names) },
    {
      import: names.map((name) => ({
        to: `steward_protected_environment.${name}`,
        id: `estate/shop:${name}`,
      })),
    },
  );
  await stack.apply();
});
afterEach(async () => {
  stack.remove();
  await service.close();
});

/** Takes the first ones out, makes others, and changes some that stay. */
async function applyWith(gone: number, made: readonly string[]): Promise<void> {
  const kept = numbers(COUNT).slice(gone).map(nameOf);
  stack.declare({
    steward_protected_environment: { ...named(kept), ...named(CHANGED, 60), ...named(made) },
  });
  await stack.apply({ parallelism: 10 });
  const plan = await stack.plan();
  expect(plan.diagnostics).toEqual([]);
  expect(plan.hasChanges).toBe(false);
}

test("what moves to a page that was read already is not taken for gone", async () => {
  // Were all sent at once: the first page is read, as many go as come, and then the second page is read.
  for (const method of ["DELETE", "POST"] as const) service.faults.add({ method, delay: 150, times: 3 });
  service.faults.add({ method: "GET", route: LIST, skip: 3, delay: 500 });
  await applyWith(3, ["z0", "z1", "z2"]);
});

test("a list that an apply adds to all the time is read all the same", async () => {
  // Were all sent at once: some are made each time that the list is read.
  service.faults.add({ method: "GET", route: LIST, always: true, delay: 20 });
  service.faults.add({ method: "POST", always: true, delay: 10 });
  const made = numbers(200).map((index) => `z${index}`);
  await applyWith(0, made);
});
