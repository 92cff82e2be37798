import { type ReattachServer, serveReattach } from "../../../src/plugin";
import type { ValueObject } from "../../../src/schema";
import { appliedBy, deletesByHand, describeEvery, expectGone, placeOf, varied } from "../../provider/samples";
import { startWorld, type World } from "../../provider/support/world";
import { describeWith, runs, seed } from "../../support/capabilities";
import { Workspace } from "../support/workspace";

// The provider's conformance suite under a real engine: covers every registered resource.

jest.setTimeout(120_000);

/**
 * Every fourth change, since all take minutes; all of them in the soak. The provider's own suite always runs
 * all.
 */
const some = <T>(all: readonly T[]): readonly T[] => {
  const step = runs(4, 1);
  return all.filter((_, index) => index % step === seed % Math.min(step, all.length));
};

describeWith("engine", "conformance under a real engine", (engine) => {
  let world: World;
  let reattached: ReattachServer;
  let workspace: Workspace;
  beforeEach(async () => {
    world = await startWorld();
    reattached = await serveReattach(world.provider);
    workspace = new Workspace(engine, reattached.env);
  });
  afterEach(async () => {
    workspace.remove();
    await reattached.close();
    await world.close();
  });

  const declare = (type: string, config: ValueObject): void =>
    workspace.write(
      "main.tf.json",
      JSON.stringify({
        provider: {
          steward: { base_url: world.service.url, token: appliedBy(type) },
        },
        resource: { [type]: { this: config } },
      }),
    );

  describeEvery((type, sample) => {
    const { config, byHand } = sample;
    const deleteByHand = deletesByHand(type);
    test("a resource is created, unchanged, replaced on request, and destroyed", async () => {
      declare(type, config);
      expect(await workspace.actions()).toEqual({ [`${type}.this`]: ["create"] });
      await workspace.apply();
      expect((await workspace.plan()).changes).toBe(false);
      expect(await workspace.actions(`-replace=${type}.this`)).toEqual({
        [`${type}.this`]: ["delete", "create"],
      });
      await workspace.succeed("destroy", "-auto-approve");
      await expectGone(type, world.http);
    });

    test.each(some(Object.keys(config)))("%s changes alone", async (name) => {
      declare(type, config);
      await workspace.apply();
      declare(type, varied(sample, name));
      const replaces = world.provider.schema.resources[type]!.attributes[name]!.text.replaces === true;
      expect(await workspace.actions()).toEqual({
        [`${type}.this`]: replaces ? ["delete", "create"] : ["update"],
      });
      await workspace.apply();
      expect((await workspace.plan()).changes).toBe(false);
    });

    for (const [name, change] of some(Object.entries(byHand))) {
      test(`${name} changed by hand is repaired`, async () => {
        declare(type, config);
        await workspace.apply();
        await change(world.http, placeOf(type));
        expect(await workspace.actions()).toEqual({ [`${type}.this`]: ["update"] });
        await workspace.apply();
        expect((await workspace.plan()).changes).toBe(false);
      });
    }

    if (deleteByHand !== undefined) {
      test("deleted by hand, it is created again", async () => {
        declare(type, config);
        await workspace.apply();
        await deleteByHand(world.http);
        expect(await workspace.actions()).toEqual({ [`${type}.this`]: ["create"] });
      });
    }
  });
});
