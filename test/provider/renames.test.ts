import { PROVIDER_SOURCE } from "../../src/provider";
import type { ValueObject } from "../../src/schema";
import { appliedBy, describeEvery } from "./samples";
import { Stack } from "./support/stack";
import { GROUP, PROJECT, useOneWorld } from "./support/world";

const world = useOneWorld();

const IDS: Readonly<Record<string, number>> = { "acme/web": PROJECT.web, "acme/platform": GROUP.platform };
const place = (config: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      (name === "project" || name === "group") && typeof value === "string"
        ? String(IDS[value] ?? value)
        : value,
    ]),
  );

describeEvery((type, sample) => {
  const named = (name: string, config: ValueObject) => ({
    terraform: { required_providers: { steward: { source: PROVIDER_SOURCE } } },
    provider: { steward: [{ base_url: world.service.url, token: appliedBy(type), max_attempts: 1 }] },
    resource: { [type]: { [name]: config } },
  });
  const requests = async (work: () => Promise<unknown>) => {
    world.service.requests.reset();
    await work();
    return world.service.requests.all.map(({ method, url }) => `${method} ${url}`).sort();
  };

  test.each([
    ["another name", (config: ValueObject) => config],
    ["another name, and its place by its id", place],
  ])("a declaration with %s is a move: nothing is sent, and no more is read", async (_what, spell) => {
    const stack = new Stack(world, named("a", sample.config));
    expect((await stack.apply()).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    try {
      const unchanged = await requests(() => stack.plan());
      stack.declare(named("b", spell(sample.config)));
      let plan = await stack.plan();
      const renamed = await requests(async () => {
        plan = await stack.plan();
      });
      expect(plan.changes).toMatchObject([
        { address: `${type}.b`, previousAddress: `${type}.a`, action: "no-op" },
      ]);
      expect(plan.summary).toMatchObject({ move: 1, add: 0, change: 0, remove: 0 });
      expect(renamed.filter((one) => !unchanged.includes(one))).toEqual([]);
      const sent = await requests(() => stack.apply());
      expect(sent.filter((one) => !one.startsWith("GET "))).toEqual([]);
      expect((await stack.plan()).hasChanges).toBe(false);
    } finally {
      stack.declare({ ...named("b", {}), resource: {} });
      await stack.apply();
      stack.remove();
    }
  });
});
