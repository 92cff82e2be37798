import type { ValueObject } from "../../src/schema";
import { actions, Stack } from "./support/stack";
import { useOneWorld } from "./support/world";

// What a state holds twice, under the embedded engine: the object stays, and the address that left is gone from the state.

const OBJECTS: readonly (readonly [type: string, declared: ValueObject])[] = [
  ["steward_job_token_allowlist_project", { project: "acme/web", target_project: "acme/tools" }],
  ["steward_job_token_allowlist", { project: "acme/web", target_projects: ["acme/tools"] }],
  [
    "steward_protected_environment",
    { project: "acme/web", name: "production", deploy_access_levels: [{ access_level: 40 }] },
  ],
  ["steward_project_invitation", { project: "acme/web", email: "ada@example.com", access_level: 30 }],
];

const world = useOneWorld();

describe.each(OBJECTS)("a %s that the state holds twice", (type, declared) => {
  const named = (name: string) => ({ resource: { [type]: { [name]: declared } } });
  let stack: Stack;

  beforeEach(async () => {
    stack = new Stack(world, named("b"));
    expect((await stack.apply()).diagnostics).toEqual([]);
    world.service.requests.reset();
  });
  afterEach(async () => {
    stack.declare({});
    expect((await stack.apply()).diagnostics).toEqual([]);
    stack.remove();
  });

  const expectOne = async () => {
    const sent = world.service.requests.all.filter(({ method }) => method !== "GET");
    expect(sent).toEqual([]);
    const held = stack.state().resources.flatMap(({ name, instances }) => instances.map(() => name));
    expect(held).toEqual(["b"]);
    expect(actions(await stack.plan())).toEqual({});
  };
  /** What a run that was limited to the new address leaves. */
  const orphan = () =>
    stack.rewrite((state) => {
      state.resources.unshift({ ...state.resources[0]!, name: "a" });
    });

  test("at an address that left, as a run limited to the new one leaves it", async () => {
    orphan();
    const { diagnostics, changes } = await stack.plan();
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "still_declared", address: `${type}.a` },
    ]);
    expect(changes[0]).toMatchObject({ address: `${type}.a`, action: "forget", sameAs: `${type}.b` });
    expect((await stack.apply()).diagnostics).toEqual([]);
    await expectOne();
  });

  test("as a deposed object, which a replacement that creates first and was cut off leaves", async () => {
    stack.rewrite((state) => {
      const { instances } = state.resources[0]!;
      instances.push({ ...instances[0]!, deposed: "0a1b2c3d" });
    });
    expect((await stack.plan()).diagnostics).toMatchObject([{ severity: "warning", code: "still_declared" }]);
    expect((await stack.apply()).diagnostics).toEqual([]);
    await expectOne();
  });
});

describe.each(OBJECTS)("a tainted %s that is replaced by one made first", (type, declared) => {
  test("a tainted entry is the same object again, and its end sends nothing", async () => {
    const lifecycle = { create_before_destroy: true };
    const stack = new Stack(world, { resource: { [type]: { b: { ...declared, lifecycle } } } });
    expect((await stack.apply()).diagnostics).toEqual([]);
    stack.rewrite((state) => {
      state.resources[0]!.instances[0]!.status = "tainted";
    });
    world.service.requests.reset();
    expect(actions(await stack.plan())).toEqual({ [`${type}.b`]: "create-then-delete" });
    expect((await stack.apply()).diagnostics).toMatchObject([
      { severity: "warning", code: "still_declared", address: `${type}.b` },
    ]);
    expect(world.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(actions(await stack.plan())).toEqual({});
    stack.declare({});
    await stack.apply();
    stack.remove();
  });
});

// What the plan can't know yet, the provider finds when it is about to delete.
describe("an entry whose new declaration is known after apply only", () => {
  const TYPE = "steward_job_token_allowlist_project";
  const at = (name: string, target: string, input: string) => ({
    resource: {
      [TYPE]: { [name]: { project: "acme/web", target_project: target } },
      terraform_data: { t: { input } },
    },
  });

  test("an entry was deleted after the other had been made of it, and stays as it is", async () => {
    const stack = new Stack(world, at("a", "acme/tools", "none"));
    expect((await stack.apply()).diagnostics).toEqual([]);
    world.service.requests.reset();
    stack.declare(at("b", "${terraform_data.t.output}", "acme/tools"));
    expect(actions(await stack.plan())).toMatchObject({ [`${TYPE}.a`]: "delete", [`${TYPE}.b`]: "create" });
    expect((await stack.apply()).diagnostics).toMatchObject([
      { severity: "warning", code: "still_declared", address: `${TYPE}.a` },
    ]);
    const writes = world.service.requests.all.filter(({ method }) => method !== "GET");
    expect(writes.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect(actions(await stack.plan())).toEqual({});
    stack.declare({});
    await stack.apply();
    stack.remove();
  });
});
