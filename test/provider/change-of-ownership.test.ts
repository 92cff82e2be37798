import { Stack } from "./support/stack";
import { startWorld, type World } from "./support/world";

// A whole allowlist is taken apart into entries, and put together again. What stays declared is not removed for a moment.

const WHOLE = "steward_job_token_allowlist";
const ENTRY = "steward_job_token_allowlist_project";
const project = "acme/web";

let world: World;
let stack: Stack;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  stack = new Stack(world, {});
});
afterEach(async () => {
  stack.declare({});
  await stack.apply();
  stack.remove();
});

const whole = (...targets: string[]) => ({
  resource: { [WHOLE]: { all: { project, target_projects: targets } } },
});
const entries = (declared: Readonly<Record<string, string>>) => ({
  resource: {
    [ENTRY]: Object.fromEntries(
      Object.entries(declared).map(([name, target]) => [name, { project, target_project: target }]),
    ),
  },
});
const change = async (declared: object) => {
  stack.declare(declared);
  const { changes } = await stack.plan();
  world.service.requests.reset();
  const { diagnostics } = await stack.apply();
  expect(diagnostics).toEqual([]);
  const writes = world.service.requests.all.filter(({ method }) => method !== "GET");
  const told = changes.map(({ address, action, before, takesOver, sameAs }) => ({
    address,
    action,
    ...(before?.["target_projects"] !== undefined && { before: before["target_projects"] }),
    ...(takesOver !== undefined && { takesOver }),
    ...(sameAs !== undefined && { sameAs }),
  }));
  expect((await stack.plan()).hasChanges).toBe(false);
  return { told, writes: writes.map(({ method, url }) => `${method} ${url.split("/").slice(-2).join("/")}`) };
};

test("a whole allowlist ends by what no entry declares, and the entries take over what is there", async () => {
  await change(whole("acme/tools", "acme/docs"));
  const { told, writes } = await change(entries({ a: "acme/tools", b: "acme/runner" }));
  expect(told).toEqual([
    { address: `${WHOLE}.all`, action: "delete", before: ["acme/docs"] },
    { address: `${ENTRY}.a`, action: "create", takesOver: `${WHOLE}.all` },
    { address: `${ENTRY}.b`, action: "create" },
  ]);
  expect(writes.sort()).toEqual(["DELETE allowlist/4", "POST job_token_scope/allowlist"]);
});

test("a whole allowlist of which entries declare all is only forgotten", async () => {
  await change(whole("acme/tools"));
  const { told, writes } = await change(entries({ a: "acme/tools" }));
  expect(told).toEqual([
    { address: `${WHOLE}.all`, action: "forget", before: ["acme/tools"], sameAs: `${ENTRY}.a` },
    { address: `${ENTRY}.a`, action: "create", takesOver: `${WHOLE}.all` },
  ]);
  expect(writes).toEqual([]);
});

test("entries are forgotten where a whole allowlist declares them, and the others end once", async () => {
  await change(entries({ a: "acme/tools", b: "acme/docs" }));
  const { told, writes } = await change(whole("acme/tools", "acme/runner"));
  expect(told).toMatchObject([
    { address: `${WHOLE}.all`, action: "create" },
    { address: `${ENTRY}.a`, action: "forget", sameAs: `${WHOLE}.all` },
    { address: `${ENTRY}.b`, action: "delete" },
  ]);
  expect(writes.sort()).toEqual(["DELETE allowlist/4", "POST job_token_scope/allowlist"]);
});

test.each([
  ["a whole allowlist", whole("acme/tools", "acme/docs"), entries({ a: "acme/tools" }), `${WHOLE}.all`],
  ["an entry", entries({ a: "acme/tools" }), whole("acme/tools", "acme/docs"), `${ENTRY}.a`],
])(
  "%s took away under --target what a declaration beyond the targets takes over, and is refused",
  async (_, before, after, ending) => {
    await change(before);
    stack.declare(after);
    const { diagnostics, applicable } = await stack.plan({ targets: [ending] });
    expect(applicable).toBe(false);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "move_not_targeted", address: ending },
    ]);
  },
);

test("what an entry takes over that could not be planned was taken away, and stays until it can be", async () => {
  await change(whole("acme/tools", "acme/docs"));
  const { resource } = entries({ a: "acme/tools" });
  const missing = { data: { steward_project: { missing: { project: "acme/missing" } } } };
  const { a } = resource[ENTRY]!;
  stack.declare({
    resource: { [ENTRY]: { a: { ...a, depends_on: ["data.steward_project.missing"] } } },
    ...missing,
  });
  const { changes, diagnostics } = await stack.plan();
  expect(changes.filter(({ action }) => action !== "read")).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toContain("ends_held_back");
});

test("entries whose targets are known after apply only lost them to the end of the whole, and keep them", async () => {
  await change(whole("acme/tools", "acme/docs"));
  const { told, writes } = await change({
    resource: {
      [ENTRY]: { a: { project, target_project: "${terraform_data.t.output}" } },
      terraform_data: { t: { input: "acme/tools" } },
    },
  });
  expect(told).toMatchObject([
    { address: `${WHOLE}.all`, action: "delete" },
    { address: `${ENTRY}.a`, action: "create" },
    { address: "terraform_data.t", action: "create" },
  ]);
  expect(writes).toEqual(["DELETE allowlist/4"]);
});

test("a whole allowlist stays while an entry that may take over a part of it can't be planned", async () => {
  await change(whole("acme/tools", "acme/docs"));
  stack.declare({
    resource: { [ENTRY]: { a: { project, target_project: "${data.steward_project.missing.id}" } } },
    data: { steward_project: { missing: { project: "acme/missing" } } },
  });
  const { changes, diagnostics } = await stack.plan();
  expect(changes.filter(({ action }) => action !== "read")).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toContain("ends_held_back");
});

test("entries take over a set that the whole allowlist manages no more, where they were refused as already there", async () => {
  const managed = (sets: object) => ({ [WHOLE]: { all: { project, ...sets } } });
  await change({ resource: managed({ target_projects: ["acme/tools"], target_groups: ["acme"] }) });
  const { writes } = await change({
    resource: {
      ...managed({ target_groups: ["acme"] }),
      ...entries({ a: "acme/tools", b: "acme/docs" }).resource,
    },
  });
  expect(writes).toEqual(["POST job_token_scope/allowlist"]);
});

test("a declaration that goes beside a data source is planned: the data source's type was asked for as a resource", async () => {
  const data = { data: { steward_project: { web: { project } } } };
  await change({ ...entries({ a: "acme/tools" }), ...data });
  const { told } = await change({ resource: {}, ...data });
  expect(told).toContainEqual({ address: `${ENTRY}.a`, action: "delete" });
});
